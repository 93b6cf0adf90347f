import type { Share } from '../metrics.ts'
import type { Figure } from './measure.ts'
import { type Basis, type Figures, type Scoreboard, sectionDifferences } from './scoreboard.ts'

/** Bars that hold whatever was committed, unless it was committed as worse: then its own interval is the bar. */
export const bars = { benign_rejected: 0.005, violating_published: 0.05, benign_review: 0.12 } as const
const barNames = Object.keys(bars) as (keyof typeof bars)[]

/** The figures that may not fall, and which way is down. */
const mainFigures: { name: keyof Figures; words: string; better: 'less' | 'more' }[] = [
  { name: 'violating_published', words: 'violating posts that are published', better: 'less' },
  { name: 'abusive_published', words: 'abusive posts that are published', better: 'less' },
  { name: 'benign_rejected', words: 'harmless posts that are rejected', better: 'less' },
  { name: 'benign_published', words: 'harmless posts that are published', better: 'more' },
  { name: 'benign_review', words: 'harmless posts that wait for a person', better: 'less' },
  { name: 'review_share', words: 'posts that wait for a person', better: 'less' },
  { name: 'average_precision', words: 'average precision', better: 'more' },
  { name: 'calibration_error', words: 'calibration error', better: 'less' },
]

const writeAgain = 'run `npm run eval -- moderation --write`, look at what changed, and commit it'

type Now = Basis & { set: { hash: string }; figures: Figures }

/** What is wrong with the present figures, held against the committed ones; empty when nothing is. */
export function findFalls(committed: Scoreboard | null, now: Now): string[] {
  if (!committed) return [`There is no scoreboard: ${writeAgain}.`]
  const changed = sectionDifferences({ ...committed, set_hash: committed.set.hash }, { ...now, set_hash: now.set.hash })
  if (changed.length > 0)
    return [`The scoreboard is about something else: ${changed.join(', ')} changed; ${writeAgain}.`]
  const old = faultOfAttacks(committed)
  if (old) return [`${old}: run \`npm run eval -- attacks --write\`, and commit it.`]
  const before = committed.sealed.pipeline_without_judge
  return [
    ...mainFigures.flatMap((figure) => fallOf(figure, before, now.figures)),
    ...barNames.flatMap((name) => overBar(name, before[name], now.figures[name])),
  ]
}

/** Attacks are not run in CI: their figures must be of what the others are of. */
function faultOfAttacks({ attacks, ...main }: Scoreboard): string | null {
  if (!attacks) return 'The scoreboard has no attacks'
  const changed = sectionDifferences(attacks, { ...main, set_hash: main.set.hash })
  return changed.length > 0 ? `The attacks are about something else: ${changed.join(', ')} changed` : null
}

/** Which bars the figures miss, in words: what is short is said, even where it was so before. */
export function shortfalls(figures: Figures): string[] {
  return barNames.flatMap((name) => {
    const words = mainFigures.find((one) => one.name === name)?.words ?? name
    const share = figures[name]?.share ?? 0
    return share > bars[name] ? [`${words}: ${percent(share)}; the bar is ${percent(bars[name])}`] : []
  })
}

function fallOf({ name, words, better }: (typeof mainFigures)[number], before: Figures, now: Figures): string[] {
  const [then, today] = [before[name], now[name]] as (Share | Figure | null)[]
  if (!then) return today ? [`${words}: the scoreboard has no such figure; ${writeAgain}.`] : []
  if (!today) return [`${words}: there is no such figure any more.`]
  const [old, fresh] = [amountOf(then), amountOf(today)]
  const isWorse = better === 'less' ? fresh > then.high : fresh < then.low
  if (!isWorse) return []
  return [
    `${words}: ${percent(fresh)} now, ${percent(old)} [${percent(then.low)}–${percent(then.high)}] committed. Undo what ` +
      'made it worse, or, if it is meant, write the scoreboard again and say why in the commit.',
  ]
}

function overBar(name: keyof typeof bars, before: Share | null, now: Share | null): string[] {
  if (!now || now.share <= bars[name]) return []
  // A shortfall that is written down may stay until it is mended; it may not grow.
  const isWrittenDown = before !== null && before.share > bars[name]
  if (isWrittenDown && now.share <= before.high) return []
  return [`${name}: ${percent(now.share)} is over the bar of ${percent(bars[name])}.`]
}

const amountOf = (figure: Share | Figure) => ('share' in figure ? figure.share : figure.value)
const percent = (value: number) => `${(value * 100).toFixed(1)} %`
