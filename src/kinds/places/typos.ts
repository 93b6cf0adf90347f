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
