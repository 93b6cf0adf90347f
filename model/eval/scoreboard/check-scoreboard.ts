import type { Share } from '../metrics.ts'
import type { Figure } from './measure.ts'
import { type Basis, type Figures, type Scoreboard, sectionDifferences } from './scoreboard.ts'

/** The bars that every figure must reach. If a worse figure was committed, its interval is the bar. */
export const bars = { benign_rejected: 0.005, violating_published: 0.05, benign_review: 0.12 } as const
const barNames = Object.keys(bars) as (keyof typeof bars)[]

/** The figures that must not get worse, and the direction in which each gets worse. */
const mainFigures: { name: keyof Figures; words: string; better: 'less' | 'more' }[] = [
  { name: 'violating_published', words: 'violating posts published', better: 'less' },
  { name: 'abusive_published', words: 'abusive posts published', better: 'less' },
  { name: 'benign_rejected', words: 'harmless posts rejected', better: 'less' },
  { name: 'benign_published', words: 'harmless posts published', better: 'more' },
  { name: 'benign_review', words: 'harmless posts sent to review', better: 'less' },
  { name: 'review_share', words: 'posts sent to review', better: 'less' },
  { name: 'average_precision', words: 'average precision', better: 'more' },
  { name: 'calibration_error', words: 'calibration error', better: 'less' },
]

const writeAgain = 'run `npm run eval -- moderation --write`, review the changes, and commit them'

type Now = Basis & { set: { hash: string }; figures: Figures }

/** The regressions of the current figures compared with the committed ones; empty if there are none. */
export function findFalls(committed: Scoreboard | null, now: Now): string[] {
  if (!committed) return [`No scoreboard exists: ${writeAgain}.`]
  const changed = sectionDifferences({ ...committed, set_hash: committed.set.hash }, { ...now, set_hash: now.set.hash })
  if (changed.length > 0) return [`The scoreboard is out of date: ${changed.join(', ')} changed; ${writeAgain}.`]
  const old = faultOfAttacks(committed)
  if (old) return [`${old}: run \`npm run eval -- attacks --write\` and commit the result.`]
  const before = committed.sealed.pipeline_without_judge
  return [
    ...mainFigures.flatMap((figure) => fallOf(figure, before, now.figures)),
    ...barNames.flatMap((name) => overBar(name, before[name], now.figures[name])),
  ]
}

/** CI does not run the attacks, so their figures must have the same versions as the others. */
function faultOfAttacks({ attacks, ...main }: Scoreboard): string | null {
  if (!attacks) return 'The scoreboard has no attack figures'
  const changed = sectionDifferences(attacks, { ...main, set_hash: main.set.hash })
  return changed.length > 0 ? `The attack figures are out of date: ${changed.join(', ')} changed` : null
}

/** Describes the bars that the figures miss, even if the committed figures missed them too. */
export function shortfalls(figures: Figures): string[] {
  return barNames.flatMap((name) => {
    const words = mainFigures.find((one) => one.name === name)?.words ?? name
    const share = figures[name]?.share ?? 0
    return share > bars[name] ? [`${words}: ${percent(share)}; the bar is ${percent(bars[name])}`] : []
  })
}

function fallOf({ name, words, better }: (typeof mainFigures)[number], before: Figures, now: Figures): string[] {
  const [then, today] = [before[name], now[name]] as (Share | Figure | null)[]
  if (!then) return today ? [`${words}: the scoreboard does not have this figure; ${writeAgain}.`] : []
  if (!today) return [`${words}: this figure no longer exists.`]
  const [old, fresh] = [amountOf(then), amountOf(today)]
  const isWorse = better === 'less' ? fresh > then.high : fresh < then.low
  if (!isWorse) return []
  return [
    `${words}: ${percent(fresh)} now, ${percent(old)} [${percent(then.low)}–${percent(then.high)}] committed. Undo the ` +
      'change that made it worse, or, if it is intended, write the scoreboard again and explain it in the commit.',
  ]
}

function overBar(name: keyof typeof bars, before: Share | null, now: Share | null): string[] {
  if (!now || now.share <= bars[name]) return []
  // A committed shortfall may stay until it is fixed, but must not grow.
  const isWrittenDown = before !== null && before.share > bars[name]
  if (isWrittenDown && now.share <= before.high) return []
  return [`${name}: ${percent(now.share)} exceeds the bar of ${percent(bars[name])}.`]
}

const amountOf = (figure: Share | Figure) => ('share' in figure ? figure.share : figure.value)
const percent = (value: number) => `${(value * 100).toFixed(1)} %`
