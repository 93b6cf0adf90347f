/** The number of letters to insert, remove, replace or swap to get from one text to the other; `most + 1` if more. */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      const distance = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : most + 1,
      )
      next.push(distance)
      least = Math.min(least, distance)
    }
    if (least > most) return most + 1
    before = last
    last = next
  }
  return Math.min(last[other.length] ?? 0, most + 1)
}

const latin = 'abcdefghijklmnopqrstuvwxyz'

/** Every text that is one typing error away: a letter too many, too few, swapped or, in Latin script, replaced. */
export function* typosOf(text: string): Generator<string> {
  const letters = Array.from(text)
  const alphabet = /^[a-z]+$/.test(text) ? latin : ''
  for (let at = 0; at <= letters.length; at++) {
    const [head, tail] = [letters.slice(0, at).join(''), letters.slice(at)]
    const [first = '', second = ''] = tail
    if (first) yield head + tail.slice(1).join('')
    if (second) yield head + second + first + tail.slice(2).join('')
    for (const letter of alphabet) {
      yield head + letter + tail.join('')
      if (first) yield head + letter + tail.slice(1).join('')
    }
  }
}
