import { z } from 'zod'

const postInPrompt = z.strictObject({
  kind: z.string(),
  author_name: z.string(),
  texts: z.array(z.strictObject({ field: z.string(), text: z.string() })),
})

export type PromptPost = { marker: string; authorName: string; texts: readonly string[] }

/**
 * The post inside the fence of the judge's prompt, or null when there is none. The JSON between the fence's two lines
 * is one line, so nothing that the author wrote can begin a line: what imitates a fence stays inside its string.
 */
export function readPrompt(content: string): PromptPost | null {
  const lines = content.split('\n')
  const from = lines.findIndex((line) => fenceLine.test(line))
  const marker = fenceLine.exec(lines[from] ?? '')?.groups?.['marker']
  if (!marker || lines[from + 2] !== `END POST ${marker}`) return null
  const post = postInPrompt.safeParse(parsed(lines[from + 1] ?? ''))
  if (!post.success) return null
  return { marker, authorName: post.data.author_name, texts: post.data.texts.map(({ text }) => text) }
}

const fenceLine = /^BEGIN POST (?<marker>[0-9a-f-]{36})$/

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
