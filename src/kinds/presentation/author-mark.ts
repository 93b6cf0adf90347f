import { createHash } from 'node:crypto'
import { type Html, html } from '../../markup/html.ts'

/**
 * A printer's flower for an account: rings of petals, drawn from its id alone. The same id always gives the same mark.
 * It has the colour of the text around it.
 */
export function authorMark(accountId: string): Html {
  const next = numbersFrom(accountId)
  const outer = ring(17.5, { petals: 6 + next(16), share: 2 + next(7), width: 2 + next(8) / 2, gapFirst: next(2) })
  const middle = ring(11, { petals: 4 + next(12), share: 2 + next(7), width: 2 + next(8) / 2, gapFirst: next(2) })
  const inner = ring(5.5, { petals: 3 + next(6), share: 3 + next(6), width: 2 + next(4) / 2, gapFirst: next(2) })
  const frame = frames[next(frames.length)] ?? ''
  return html`<svg class="mark" viewBox="-24 -24 48 48" width="48" height="48" fill="none" stroke="currentColor" aria-hidden="true"><g transform="rotate(-90)">!${frame}!${outer}!${middle}!${inner}</g><circle r="${1 + next(4) / 2}" stroke-width="1"/></svg>`
}

type Ring = {
  petals: number
  /** Tenths of each step that the petal fills. */
  share: number
  width: number
  /** 1 if a gap is at the top, 0 if a petal is. Both are symmetric. */
  gapFirst: number
}

/** One dash of a circle is a petal, because paths for all of them would take ten times the bytes. */
function ring(radius: number, { petals, share, width, gapFirst }: Ring): Html {
  const filled = share / 10
  const offset = round(filled / 2 + gapFirst / 2)
  return html`<circle r="${radius}" stroke-width="${width}" pathLength="${petals}" stroke-dasharray="${filled} ${round(1 - filled)}" stroke-dashoffset="${offset}"/>`
}

const round = (number: number) => Number(number.toFixed(2))

const frames: readonly Html[] = [
  html`<circle r="23"/>`,
  html`<circle r="22.5" stroke-width="2"/>`,
  html`<circle r="22.5" stroke-width="2" pathLength="96" stroke-dasharray="1"/>`,
  html`<circle r="23"/><circle r="21"/>`,
]

/** Each call gives a number below the limit, always the same numbers for the same text. */
function numbersFrom(text: string): (below: number) => number {
  const bytes = createHash('sha256').update(text).digest()
  let at = 0
  return (below) => bytes.readUInt16BE(2 * at++) % below
}
