import type { Because } from '../../accounts/trust/assess-trust.ts'
import type { CaseView } from '../../cases/read-case.ts'
import { type Html, html } from '../../markup/html.ts'
import { categoryTitle, percent } from './labels.ts'

type Model = NonNullable<CaseView['model']>

/** What each row of the decision table means, for reviewers. */
export const rowWords: Readonly<Record<string, string>> = {
  minors: 'Sexual content together with a mention of minors: a person always decides.',
  judge_failed: 'The judge returned no verdict, so a person decides.',
  judge_doubts: 'The judge was unsure.',
  two_stages_refuse: 'The judge rejected it, and the rules or the local model named the same category.',
  judge_refuses_alone: 'The judge rejected it, but no other stage named that category.',
  rule_hit: 'An abuse rule matched.',
  trusted_author: 'The local model was slightly unsure, and the author is trusted.',
  local_suspects: 'The local model suspects a violation.',
  judge_finds_poor: 'The judge found the quality too low.',
  rule_finds_poor: 'A rule found the quality too low.',
  rule_doubts: 'A rule questions the quality.',
  judge_accepts: 'The judge accepted it, and the other stages found nothing.',
  judge_accepts_in_doubt: 'The judge accepted it. The local model was unsure or could not judge it.',
  local_alone_clean: 'No judge: the rules and the local model found nothing.',
  local_alone_in_doubt: 'No judge that covers every category: the local model was unsure or could not judge it.',
}

/** What each stage found, and which row of the decision table applied. */
export function stagesCard({ model }: CaseView): Html {
  if (!model) return html`<section><h2>Stages</h2><p class="small">The stages returned no result.</p></section>`
  const { name, version, thresholds, row, classifier, overall, couldJudge, mentionsMinors } = model
  return html`<section><h2>Stages</h2>
!${row ? html`<p>${rowWords[row] ?? row}</p>` : ''}
!${standingWords(model)}
!${judgeWords(model)}
!${mentionsMinors ? html`<p>The text mentions minors.</p>` : ''}
!${rulesWords(model)}
!${row ? html`<h3>Local model</h3>` : ''}
!${couldJudge ? '' : html`<p class="small">It cannot judge text in this language or of this length. Its scores are unreliable.</p>`}
!${overall === null || !couldJudge ? '' : html`<p>Probability of any violation: <strong>${percent(overall)}</strong></p>`}
!${scoreList(classifier)}
<p class="small">${name}${version ? `, version ${version}` : ''}${thresholds ? `; thresholds ${thresholds}` : ''}</p></section>`
}

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
    return html`<p class="judge">The judge says <strong>${judge.verdict}</strong>${judge.category ? `, ${categoryTitle(judge.category)}` : ''} <span class="soft">(${percent(judge.score)} sure)</span></p>`
  // The description of `judge_failed` already says it, and decisions without a row do not record it.
  if (row === null || row === 'judge_failed') return ''
  return html`<p class="small">${row === 'minors' ? 'The judge returned no verdict.' : 'No judge is configured.'}</p>`
}

function rulesWords({ rules }: Model): Html {
  if (!rules) return ''
  const seen = Object.fromEntries(Object.entries(rules).filter(([, score]) => score > 0))
  return html`<h3>Rules</h3>!${Object.keys(seen).length > 0 ? scoreList(seen) : html`<p class="small">No rule matched.</p>`}`
}

/** How many scores are shown. The others are collapsed. */
const scoresShown = 4

function scoreList(scores: Readonly<Record<string, number>>): Html {
  const rows = Object.entries(scores)
    .sort(([, one], [, other]) => other - one)
    .map(([category, score]) => scoreRow(category, score))
  const rest = rows.slice(scoresShown)
  return html`<ul class="plain scores">!${rows.slice(0, scoresShown).join('')}</ul>
!${rest.length > 0 ? html`<details><summary>${rest.length} more</summary><ul class="plain scores">!${rest.join('')}</ul></details>` : ''}`
}

/** The lowest scores that are colored as a warning and as bad. */
const bounds = { warn: 0.4, bad: 0.8 }

function scoreRow(category: string, score: number): Html {
  const weight = score >= bounds.bad ? 'bad' : score >= bounds.warn ? 'warn' : 'slight'
  return html`<li><span>${categoryTitle(category)}</span> <span class="figure">${percent(score)}</span><svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="${weight}" width="${(score * 100).toFixed(0)}" height="1"/></svg></li>`
}
