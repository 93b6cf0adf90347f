/**
 * Whether a key is only a placeholder, because its random part is not random. Placeholders in documentation must pass.
 */
export function isPlaceholder(random: string): boolean {
  return saysSo.test(random) || new Set(random).size < fewestCharacters || countsUp(random)
}

const saysSo = /example|placeholder|changeme|redacted|dummy|sample|your|fake|x{4}|\*{3}|\.{3}/i

// 16 random hex digits have about ten different ones; fewer than five occur once in a million.
const fewestCharacters = 5

/** `12345678`, `abcdef`: six characters in sequence, which occur by chance in about one in ten million keys. */
export function countsUp(text: string): boolean {
  let steps = 0
  for (let index = 1; index < text.length && steps < 5; index++) {
    steps = text.charCodeAt(index) === text.charCodeAt(index - 1) + 1 ? steps + 1 : 0
  }
  return steps >= 5
}
