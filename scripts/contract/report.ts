import { missingIn, type Texts, versioningHeading, versioningPage } from './announcements.ts'
import type { Change } from './contract.ts'

export type Finding = Change & { missing: ('changelog' | 'versioning page')[] }

/** A breaking change is accepted if both places announce it. */
export const review = (changes: readonly Change[], texts: Texts): Finding[] =>
  changes.map((change) => ({ ...change, missing: change.breaking ? missingIn(change.id, texts) : [] }))

export const isRefused = ({ missing }: Finding): boolean => missing.length > 0

export function describeFindings(findings: readonly Finding[], since: string): string {
  const breaking = findings.filter((one) => one.breaking)
  const refused = findings.filter(isRefused)
  const head = `Since ${since}: ${count(breaking.length, 'breaking change')}, ${count(findings.length - breaking.length, 'compatible one')}.`
  return [head, ...findings.map(describeOne), ...(refused.length > 0 ? [howToAnnounce(refused)] : [])].join('\n\n')
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`

function describeOne(finding: Finding): string {
  const { id, breaking, notice, missing } = finding
  const verdict = !breaking ? 'compatible' : isRefused(finding) ? 'BREAKING  ' : 'announced '
  const lines = [`${verdict}  ${id}`, `            ${notice}`]
  return [...lines, ...(missing.length > 0 ? [`            Not announced: ${missing.join(', ')}.`] : [])].join('\n')
}

function howToAnnounce(refused: readonly Finding[]): string {
  const lines = refused.map(({ id }) => `- \`${id}\`: what callers do instead.`)
  return `${count(refused.length, 'breaking change')} not announced. Keep the old form, or announce each one in both places:

1. a pending change of the bump “major” (npm run release -- change major Changed '…'), and
2. ${versioningPage}, under “${versioningHeading}”.

These lines are in the right form:

${lines.join('\n')}`
}
