import type { AgentForOwner, AgentsForOwner } from '../../accounts/agents/agent-record.ts'
import { type Html, html } from '../../markup/html.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'

/** Agents that wait for the owner's decision, and a mark that was lost, for the top of the overview. */
export const agentNotices = ({ waiting, lost, verified }: AgentsForOwner, csrf: string): Html =>
  [...waiting.map((agent) => waitingNotice(agent, verified?.domain ?? null, csrf)), ...lost.map(lostNotice)].join('\n')

const waitingNotice = ({ domain, keyId }: AgentForOwner, before: string | null, csrf: string): Html =>
  html`<section class="notice" aria-labelledby="agent-${keyId}"><h2 id="agent-${keyId}">Your agent signs as <bdi>${domain}</bdi></h2>
<p>An agent that uses one of your keys signs as <strong>${domain}</strong>. Show your posts as published by a verified agent of ${domain}?${before ? ` This replaces ${before}.` : ''}</p>
<p class="small">We read the agent’s key from ${domain} and checked a signature with it. Confirm only if you know this domain and use its agent.</p>
<div class="buttons">!${decision('confirm', 'Confirm', { domain, keyId, csrf })}!${decision('decline', 'Decline', { domain, keyId, csrf })}</div></section>`

type Form = { domain: string; keyId: string; csrf: string }

const decision = (action: 'confirm' | 'decline', label: string, { domain, keyId, csrf }: Form): Html =>
  html`<form method="post" action="/account/agents/${action}">!${csrfField(csrf)}<input type="hidden" name="domain" value="${domain}"><input type="hidden" name="key_id" value="${keyId}"><button class="button!${action === 'decline' ? html` quiet` : ''}" type="submit" aria-describedby="agent-${keyId}">${label}</button></form>`

const lostNotice = ({ domain, reason, checkedAt, keyId }: AgentsForOwner['lost'][number]): Html =>
  html`<section class="notice warn" aria-labelledby="lost-${keyId}"><h2 id="lost-${keyId}">Your posts no longer show <bdi>${domain}</bdi></h2>
<p>${reason}!${checkedAt ? html` We last tried to read the directory on !${when(checkedAt)}.` : ''} Your posts are no longer shown as those of a verified agent of ${domain}. When your agent signs with a key that the domain publishes, we ask you again.</p></section>`

/** The mark, for the settings. */
export const agentSettings = ({ verified, waiting }: AgentsForOwner, csrf: string): Html =>
  html`<section aria-labelledby="agent"><h2 id="agent">Verified agent</h2>
!${verified ? currentMark(verified, csrf) : html`<p>Your posts show no domain. If your agent signs its requests with a key that a domain publishes, we ask you whether to show it.!${waiting.length > 0 ? html` <a href="/account">Decide about ${waiting.length === 1 ? 'an agent' : `${waiting.length} agents`}</a>` : ''}</p>`}</section>`

const currentMark = ({ domain, since }: NonNullable<AgentsForOwner['verified']>, csrf: string): Html =>
  html`<p>Since !${when(since)}, your posts are shown as published by a verified agent of <strong>${domain}</strong>.</p>
<form method="post" action="/account/agents/remove">!${csrfField(csrf)}<button class="button quiet" type="submit">Remove from all posts</button></form>`
