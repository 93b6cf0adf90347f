import type { CaseView } from '../../cases/read-case.ts'
import { type Html, html } from '../../markup/html.ts'
import { type PolicyCategory, policy } from '../../policy/policy.ts'

/** What the policy says of what is suspected, in full; the rest of it folded. */
export function policyWords({ suspected }: CaseView): Html {
  const first = suspected.map((id) => policy.categories.find((category) => category.id === id) as PolicyCategory)
  const others = policy.categories.filter(({ id }) => !suspected.includes(id))
  return html`<section class="policy" aria-labelledby="policy"><h2 id="policy">The policy’s words</h2>
!${first.map((category) => html`<h3>${category.title}</h3>!${words(category)}!${examplesOf(category)}`).join('')}
<div class="others">!${others.map((category) => html`<details><summary>${category.title}</summary>!${words(category)}</details>`).join('')}</div>
<p class="small">Version ${policy.version}</p></section>`
}

/** The definition's own parts: what it covers, what not, and the line between. */
const words = ({ definition }: PolicyCategory): Html =>
  definition
    .split(/(?<=\.) (?=Does not cover|The line:)/)
    .map((part) => html`<p>${part}</p>`)
    .join('')

const examplesOf = ({ examples }: PolicyCategory): Html =>
  html`<details><summary>Examples</summary>
<p class="small">Refused</p><ul>!${examples.violating.map((text) => html`<li>${text}</li>`).join('')}</ul>
<p class="small">Published</p><ul>!${examples.non_violating.map((text) => html`<li>${text}</li>`).join('')}</ul></details>`
