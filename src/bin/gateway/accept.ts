/** What a page may be had as. A browser asks for the first. */
const types = ['text/html', 'application/xhtml\\+xml', 'application/json', 'text/markdown'].join('|')

/** `q` at the end of the range, with the digits after it. Other parameters may stand before it. */
const weighing = (digits: string) => `;\\s*+q=${digits}\\s*+(?:[,;]|$)`

/**
 * Patterns for a whole Accept header, to be tried in this order: the first that fits has found, as `named_type`, the
 * type of highest weight, and of those the one named first. Weights are told apart by their first decimal; 0 is a no.
 * What a repetition took it never gives back (`*+`): the time grows with the header and not with its square.
 */
export const acceptPatterns: readonly string[] = [
  `(?:,|$)|${weighing('1(?:\\.0*+)?')}`,
  ...[9, 8, 7, 6, 5, 4, 3, 2, 1].map((tenths) => weighing(`0?\\.${tenths}\\d*+`)),
  weighing('0?\\.00*+[1-9]\\d*+'),
].map((weight) => `(?:^|,)\\s*+(?<named_type>${types})\\s*+(?:;(?!\\s*+q=)[^;,]*+)*+(?:${weight})`)
