import type { TextPart } from '../../contract/text/text.ts'

/** Four letters or more, each alone. */
const spacedLetters = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?: [\p{L}\p{N}]){3,}(?![\p{L}\p{N}])/gu

const leastRuns = 3
const leastLetters = 2

/**
 * Whether a text was written so that machines cannot read it: several words with a space between all letters. The
 * canonical text joins them, but not always into the right words, so a person reads such a post.
 */
export const isDisguised = (texts: readonly TextPart[]): boolean =>
  texts.some(({ text }) => {
    const runs = text.normalize('NFKC').match(spacedLetters) ?? []
    return runs.filter((run) => (run.match(/\p{L}/gu)?.length ?? 0) >= leastLetters).length >= leastRuns
  })
