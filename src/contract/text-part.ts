/** One text of a post with the member it stands in. */
export type TextPart = { field: string; text: string }
