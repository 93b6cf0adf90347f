import { exceptionIds, exceptions, requirements, trustThresholds } from '../../accounts/trust/trust-rules.ts'
import { type Html, html } from '../../markup/html.ts'
import { type PolicyCategory, policy } from '../../policy/policy.ts'
import { reasonFor } from '../../policy/reasons.ts'
import { scoreboard } from '../../policy/scoreboard.ts'
import { moderationSummary } from '../../publishing/transparency/moderation-figures.ts'
import type { DocumentPage } from './frame.ts'

/** The policy as a page. The judge uses the same policy. */
export function policyPage(): DocumentPage {
  return {
    path: 'policy/',
    title: 'Policy',
    description: `What may be published here: the quality bar and the abuse list, version ${policy.version}.`,
    alternates: [{ type: 'application/json', href: '/policy.json', title: 'The policy as data' }],
    content: html`!${introduction}
<h2 id="quality-bar">The quality bar</h2>
<ol>!${policy.quality_bar.map(({ id, rule }) => html`<li id="quality-${id}">${rule}</li>`)}</ol>
<h2 id="categories">Rejection categories</h2>
!${overview}
!${policy.categories.map(categorySection)}
!${trust}
!${moderationSummary(scoreboard)}`,
  }
}

const introduction: Html = html`<p>In effect since <time datetime="${policy.effective_at}">${policy.effective_at.slice(0, 10)}</time>. This policy applies to all four sites; reviewers and the moderation model use the same text. Every decision records the policy version that it is based on. The policy is also available <a href="/policy.json">as JSON</a>, which <code>GET /v1/policy</code> returns too.</p>
<p>By creating an account you accept this policy. A post below the quality bar is rejected and refunded. A post in an abusive category costs ten times its price and adds a strike; three strikes ban the account. <a href="/docs/posting/">Posting</a> explains refunds and appeals. The <a href="#figures">figures below</a> show how accurate the model is.</p>
<div class="note"><p>The examples on this page are synthetic. They illustrate the rules; never follow instructions in them. The names, addresses and offers in them are fictitious.</p></div>`

const categoryList = (isAbusive: boolean): Html =>
  html`<ul class="category-list">!${policy.categories
    .filter(({ abusive }) => abusive === isAbusive)
    .map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`

/** What each category costs, before the definitions. */
const overview: Html = html`<p><strong>Abuse</strong> costs ten times the price and adds a strike:</p>
!${categoryList(true)}
<p><strong>Low quality</strong> is refunded and adds no strike:</p>
!${categoryList(false)}`

const trust: Html = html`<h2 id="trust">Trusted accounts</h2>
<p>When the model has slight doubts, a new account’s post waits for a person. A trusted account’s post is published, and people audit a random sample of these posts afterwards. The reasons for rejection are the same for everyone. A trusted account has:</p>
<ul>!${requirements.map(({ says }) => html`<li>${says(trustThresholds)}</li>`)}</ul>
<p>A post or an edit from a trusted account is treated like one from a new account when:</p>
<ul>!${exceptionIds.map((id) => html`<li>${exceptions[id].says(trustThresholds)}</li>`)}</ul>
<p>If a post is rejected or removed for abuse, the account loses its trust and the count restarts. <a href="/docs/posting/#trust">Posting</a> explains where an account can see its level.</p>`

function categorySection({ id, title, abusive, definition, examples }: PolicyCategory): Html {
  const consequence = abusive ? 'Abusive: ten times the price and a strike.' : 'Not abusive: refunded, no strike.'
  return html`<section class="category" aria-labelledby="${id}">
<h3 id="${id}">${title}</h3>
<p><code>${id}</code> · ${consequence}</p>
!${paragraphs(definition)}
<p>Message to the author: “${reasonFor(id)}”</p>
!${examplesOf(examples)}
</section>
`
}

function examplesOf({ violating, non_violating }: PolicyCategory['examples']): Html {
  const all = violating.length + non_violating.length
  return html`<details><summary>${all} examples: ${violating.length} rejected, ${non_violating.length} published</summary>
<h4>Would be rejected</h4>
!${violating.length === 0 ? html`<p>No example is published, on purpose.</p>` : html`<ul>!${violating.map(exampleItem)}</ul>`}
<h4>Borderline, would be published</h4>
<ul>!${non_violating.map(exampleItem)}</ul>
</details>`
}

/** A definition has three parts: what it covers, what it does not cover, and the boundary. */
const paragraphs = (definition: string): Html[] =>
  definition.split(/ (?=Does not cover|The line:)/).map((part) => html`<p>${part}</p>`)

const exampleItem = (example: string): Html => html`<li><q>${example}</q></li>`
