/** The first words of a post: its title, or its text. Written by a stranger. */
export function headlineOf({ content }: { content: object }): string {
  const { title, text } = content as { title?: string; text?: string }
  return title ?? text ?? ''
}
