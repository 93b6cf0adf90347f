import { problemsOf } from '../../contract/define-operation.ts'
import type { ProblemDefinition } from '../../contract/problems/problem-definition.ts'
import { needsOwner, type ProblemCode, problemCodes, problems } from '../../contract/problems/problems.ts'
import { html } from '../../markup/html.ts'
import type { DocumentSite } from './document-site.ts'
import type { DocumentPage } from './frame.ts'
import { byStatus, retryAdvice } from './guides/errors.ts'
import { inline, renderMarkdown } from './markdown.ts'
import { markdownTable, problemLink } from './markdown-parts.ts'
import { referenceAddress } from './reference/addresses.ts'

/** The catalog, and a page for each problem at the address in its `type`. */
export const problemPagesOf = (site: DocumentSite): DocumentPage[] => [
  catalogPage(),
  ...problemCodes.map((code) => problemPage(site, code)),
]

function catalogPage(): DocumentPage {
  const table = markdownTable(
    ['Response', 'Meaning', 'Who must act'],
    byStatus().map((code) => [problemLink(code), problems[code].meaning, actorOf[problems[code].actor]]),
  )
  return {
    path: 'problems/',
    title: 'Problems',
    description: 'Every error code: what it means, who must act, what to do, and whether to retry.',
    alternates: [{ type: 'application/json', href: '/problems/index.json', title: 'All problems as JSON' }],
    content: html`<p>A code is permanent: it is never renamed and its status never changes. <a href="/docs/errors/">Errors</a> explains the fields of a problem document and how to handle it. The catalog as JSON: <a href="/problems/index.json">/problems/index.json</a>.</p>
!${renderMarkdown(table)}`,
  }
}

function problemPage(site: DocumentSite, code: ProblemCode): DocumentPage {
  const { status, title, meaning, actor, remedy, retry } = problems[code]
  return {
    path: `problems/${code}`,
    title,
    // The description is plain text, so the backticks are removed.
    description: `${status} ${code}: ${meaning.replaceAll('`', '')}`,
    alternates: [{ type: 'application/json', href: `/problems/${code}.json`, title: 'This problem as data' }],
    content: html`<dl class="facts">
<div><dt>Code</dt><dd><code>${code}</code></dd></div>
<div><dt>HTTP status</dt><dd>${status}</dd></div>
<div><dt>Who must act</dt><dd>${actorOf[actor]}</dd></div>
</dl>
<h2 id="what-to-do">What to do</h2>
<p>!${inline(remedy)}</p>
!${needsOwner(code) ? ownerParagraph : ''}
<h2 id="again">Can I retry?</h2>
<p>!${inline(retryAdvice[retry])}</p>
<h2 id="where">Where it can occur</h2>
!${operationList(site, code)}
<p><a href="/problems/">All problems</a> · <a href="/problems/${code}.json">This problem as JSON</a> · <a href="/docs/errors/">How to handle errors</a></p>`,
  }
}

const actorOf: Record<ProblemDefinition['actor'], string> = {
  agent: 'the agent: change the request, or wait',
  human: 'a person',
  operator: 'the operator of the service',
}

const ownerParagraph = html`<p>The response contains <code>account_url</code> and <code>for_human: true</code>. Give the link to the account’s owner and stop; an immediate retry does not help. If the link has expired, <code>GET /v1/account</code> returns a new one.</p>`

function operationList({ operations }: DocumentSite, code: ProblemCode) {
  const meeting = operations.filter((operation) => problemsOf(operation).includes(code))
  if (meeting.length === 0)
    return html`<p>Outside the operations of this site, such as an unknown path or the <a href="/docs/mcp/">MCP server</a>, or in operations that are not available yet.</p>`
  if (meeting.length === operations.length) return html`<p>In every operation.</p>`
  return html`<ul>!${meeting.map((operation) => html`<li><a href="${referenceAddress(operation)}"><code>${operation.method} ${operation.path}</code></a>: ${operation.summary}</li>`)}</ul>`
}
