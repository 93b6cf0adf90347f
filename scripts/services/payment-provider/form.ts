export type Fields = { [name: string]: string | Fields }

/** Stripe's way to write nested values: `a[b][0]=c`. Lists come out as objects with numbers for names. */
export function readForm(text: string): Fields {
  const fields: Fields = {}
  for (const [path, value] of new URLSearchParams(text)) {
    const [last = '', ...outer] = path
      .split(/[[\]]+/)
      .filter(Boolean)
      .reverse()
    if (path.includes('__proto__')) continue
    let place = fields
    for (const name of outer.reverse()) {
      const next = place[name]
      place = place[name] = typeof next === 'object' ? next : {}
    }
    place[last] = value
  }
  return fields
}
