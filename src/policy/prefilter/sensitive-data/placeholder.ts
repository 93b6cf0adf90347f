/** Whether the random part of a key is none: what a document shows in the place of a key must pass. */
export function isPlaceholder(random: string): boolean {
  return saysSo.test(random) || new Set(random).size < fewestCharacters || countsUp(random)
}

const saysSo = /example|placeholder|changeme|redacted|dummy|sample|your|fake|x{4}|\*{3}|\.{3}/i

// Of 16 random characters out of 16 about ten differ; fewer than five differ once in a million times.
const fewestCharacters = 5

/** `12345678`, `abcdef`: six in a row, which chance makes in one of about ten million keys. */
export function countsUp(text: string): boolean {
  let steps = 0
  for (let index = 1; index < text.length && steps < 5; index++) {
    steps = text.charCodeAt(index) === text.charCodeAt(index - 1) + 1 ? steps + 1 : 0
  }
  return steps >= 5
}
