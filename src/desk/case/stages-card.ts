import type { Because } from '../../accounts/trust/assess-trust.ts'
import type { CaseView } from '../../cases/read-case.ts'
import { type Html, html } from '../../markup/html.ts'
import { thresholds as current } from '../../moderation/decisions/thresholds.ts'
import { categoryTitle, percent } from './labels.ts'

type Model = NonNullable<CaseView['model']>

/** What each row of the decision table means, for reviewers. */
export const rowWords: Readonly<Record<string, string>> = {
  minors: 'Sexual content together with a mention of minors: a person always decides.',
  judge_failed: 'The judge returned no verdict, so a person decides.',
  judge_doubts: 'The judge was unsure.',
  two_stages_refuse: 'The judge rejected it, and the rules or the local model named the same category.',
  judge_refuses_alone: 'The judge rejected it, but no other check named that category.',
  rule_hit: 'An abuse rule matched.',
  trusted_author: 'The local model was slightly unsure, and the author is trusted.',
  local_suspects: 'The local model suspects a violation.',
  judge_finds_poor: 'The judge found the quality too low.',
  rule_finds_poor: 'A rule found the quality too low.',
  rule_doubts: 'A rule questions the quality.',
  judge_accepts: 'The judge accepted it, and the other checks found nothing.',
  judge_accepts_in_doubt: 'The judge accepted it. The local model was unsure or could not judge it.',
  local_alone_clean: 'No judge: the rules and the local model found nothing.',
  local_alone_in_doubt: 'No judge that covers every category: the local model was unsure or could not judge it.',
}

/** What each stage found, and which row of the decision table applied. */
export function stagesCard({ model }: CaseView): Html {
  if (!model)
    return html`<section><h2>Automated checks</h2><p class="small">The automated checks returned no result.</p></section>`
  const { name, version, row, classifier, overall, couldJudge, mentionsMinors } = model
  return html`<section><h2>Automated checks</h2>
!${row ? html`<p>${rowWords[row] ?? row}</p>` : ''}
!${standingWords(model)}
!${judgeWords(model)}
!${mentionsMinors ? html`<p>The text mentions minors.</p>` : ''}
!${rulesWords(model)}
!${row ? html`<h3>Local model</h3>` : ''}
!${couldJudge ? '' : html`<p class="small">It cannot judge text in this language or of this length. Its scores are unreliable.</p>`}
!${overall === null || !couldJudge ? '' : html`<p>Probability of any violation: <strong>${percent(overall)}</strong></p>`}
!${scoreList(classifier, localThreshold)}
<p class="small">!${tick} ${thresholdWords(model)}</p>
<p class="small">${name}${version ? `, version ${version}` : ''}</p></section>`
}

const { rules: ofRules, local: ofLocal } = current

/** The score from which a category counts, by stage: it is named to the reviewer and can confirm the judge. */
const ruleThreshold = () => ofRules.hint
const localThreshold = (category: string) =>
  category === 'sexual' || category === 'sexual_minors' ? ofLocal.minors : ofLocal.agree

const thresholdWords = ({ thresholds }: Model): string =>
  thresholds === null || thresholds === current.version
    ? `Threshold, version ${current.version}`
    : `Current threshold, version ${current.version}. This post was judged with version ${thresholds}.`

const becauseWords: Record<Because, string> = {
  new_account: 'the account was not trusted yet',
  new_domain: 'it links to a domain that the account had not published before',
  burst: 'it was part of a burst of posts',
  new_kind: 'the account had not published this kind of post before',
}

function standingWords({ standing, because }: Model): Html {
  if (!standing) return ''
  if (standing === 'trusted') return html`<p class="small">Judged as a post by a trusted author.</p>`
  return html`<p class="small">Judged as a post by a new author: ${because.map((id) => becauseWords[id] ?? id).join('; ')}.</p>`
}

function judgeWords({ judge, row }: Model): Html {
  if (judge)
    return html`<p class="judge">The judge says <strong>${judge.verdict}</strong>${judge.category && judge.verdict !== 'accept' ? `, ${categoryTitle(judge.category)}` : ''} <span class="soft">(${percent(judge.score)} sure)</span></p>`
  // The description of `judge_failed` already says it, and decisions without a row do not record it.
  if (row === null || row === 'judge_failed') return ''
  return html`<p class="small">${row === 'minors' ? 'The judge returned no verdict.' : 'No judge is configured.'}</p>`
}

function rulesWords({ rules }: Model): Html {
  if (!rules) return ''
  const seen = Object.fromEntries(Object.entries(rules).filter(([, score]) => score > 0))
  return html`<h3>Rules</h3>!${Object.keys(seen).length > 0 ? scoreList(seen, ruleThreshold) : html`<p class="small">No rule matched.</p>`}`
}

type Threshold = (category: string) => number

/** The categories at or above their threshold, highest score first. The others are collapsed. */
function scoreList(scores: Readonly<Record<string, number>>, thresholdOf: Threshold): Html {
  if (Object.keys(scores).length === 0) return ''
  const sorted = Object.entries(scores).sort(([, one], [, other]) => other - one)
  const counts = ([category, score]: [string, number]) => score >= thresholdOf(category)
  const rows = (those: typeof sorted) =>
    html`<ul class="plain scores">!${those.map(([category, score]) => scoreRow(category, score, thresholdOf(category))).join('')}</ul>`
  const [above, below] = [sorted.filter(counts), sorted.filter((one) => !counts(one))]
  return html`!${above.length > 0 ? rows(above) : html`<p class="small">No category reaches its threshold.</p>`}
!${below.length > 0 ? html`<details><summary>Below threshold (${below.length})</summary>!${rows(below)}</details>` : ''}`
}

/** From this score on, the bar has the color of a violation: a category with this score alone needs a person. */
const severe = Math.min(ofRules.certain, ofLocal.suspect_category)

function scoreRow(category: string, score: number, threshold: number): Html {
  const weight = score < threshold ? 'slight' : score >= severe ? 'bad' : 'warn'
  return html`<li><span>${categoryTitle(category)}</span> <span class="figure">${percent(score)}<span class="unseen">, threshold ${percent(threshold)}</span></span><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect class="track" y="1" width="100" height="4"/><rect class="${weight}" y="1" width="${(score * 100).toFixed(0)}" height="4"/><rect class="tick" x="${(threshold * 100 - 0.5).toFixed(1)}" width="1" height="6"/></svg></li>`
}

/** The mark as the bars have it, for the text that explains it. */
const tick = html`<svg class="tick-key" viewBox="0 0 1 6" aria-hidden="true"><rect class="tick" width="1" height="6"/></svg>`
