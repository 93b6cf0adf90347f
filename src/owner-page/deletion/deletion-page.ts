import { deletionLapsesAt, standingDeletionRequest } from '../../accounts/deletion/request-deletion.ts'
import { readBalance } from '../../ledger/balance.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { refundableMicros } from '../../payments/refunds/refund-balance.ts'
import type { PaymentService } from '../../platform/payments/provider.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField, textField } from '../../web-pages/form.ts'
import { ownerNotePage, showOwnerPage } from '../layout.ts'
import type { OwnerRequest, Shown } from '../route.ts'

/** Typed by whoever means it. Not the account's name: an agent chose that, in any script. */
export const word = 'DELETE'

type Given = { wantsRefund: boolean; fault?: string | null }

/** Says what goes and what stays before it asks, once. */
export async function deletionPage(asked: OwnerRequest<'session', unknown>, given: Given): Promise<Shown> {
  const { db, clock, session, csrf } = asked
  const [{ name, deletion_requested_at }, balance, refundable] = await Promise.all([
    db
      .selectFrom('accounts')
      .select(['name', 'deletion_requested_at'])
      .where('id', '=', session.accountId)
      .executeTakeFirstOrThrow(),
    readBalance(db, session.accountId),
    refundableMicros(db, session.accountId),
  ])
  const requestedAt = standingDeletionRequest(deletion_requested_at, clock.now())
  const content = html`<p class="crumbs"><a href="/account/settings">Settings</a></p>
<h1>Delete this account</h1>
!${requestedAt ? requestNotice(requestedAt, csrf) : ''}
<p class="lede">Deleting <strong dir="auto">${name}</strong> cannot be undone: not by you, and not by us.</p>
<div class="grid">!${whatGoes}!${whatStays}</div>
<section><h2>The money</h2>!${money({ ...balance, refundable })}</section>
<section class="narrow"><h2>Delete it</h2>
<form method="post" action="/account/deletion">!${csrfField(csrf)}
!${refundable > 0 ? refundChoice(refundable, given.wantsRefund) : ''}
!${textField({
    name: 'word',
    label: `Type ${word} to confirm`,
    error: given.fault ?? undefined,
    attributes: html`autocomplete="off" autocapitalize="characters" spellcheck="false" required`,
  })}
<div class="buttons"><button class="button danger" type="submit">Delete the account for good</button>
<a class="button quiet" href="/account">Keep it</a></div>
</form></section>`
  const status = given.fault ? { status: 422 } : {}
  return showOwnerPage(asked, { title: 'Delete this account', section: 'settings', content, ...status })
}

function requestNotice(requestedAt: Date, csrf: string): Html {
  return html`<div class="notice warn"><h2>Your agent has asked for this</h2>
<p>It asked on !${when(requestedAt)}. Nothing happens until you confirm it below. The request lapses by itself on !${when(deletionLapsesAt(requestedAt))}.</p>
<form class="buttons" method="post" action="/account/deletion/cancel">!${csrfField(csrf)}<button class="button quiet" type="submit">Refuse the request and keep the account</button></form></div>`
}

const whatGoes = html`<section class="card"><h2>What goes</h2>
<p>At once:</p>
<ul>
<li>the account’s name, and your email address</li>
<li>all API keys: the next call with one is refused</li>
<li>all your sessions, links and codes</li>
<li>webhooks with their addresses and secrets: no event is sent any more</li>
<li>what was written in appeals, in reports, and in messages to and from sellers that are still on their way</li>
<li>auto-recharge, and what we know of the card on file</li>
</ul>
<p>Within minutes: the texts of all posts that are not published, edits that wait, the log of events and deliveries, and your card at the payment provider.</p></section>`

const whatStays = html`<section class="card"><h2>What stays</h2>
<ul>
<li>Published posts. They were published under CC BY 4.0, which cannot be taken back; their author is shown as “Deleted account”. To take a post down, have your agent delete it first.</li>
<li>The entries of the ledger, payments and refunds: under the account’s identifier, without a name.</li>
<li>Decisions on posts, and the log of what you and we did with the account: identifiers and amounts.</li>
<li>For a while: who wrote to which seller, by identifier, for 30 days; the words of topics of posts that were public, for 60 days after the last post left them; a hash of your address, by which messages to sellers are counted, for a day or two.</li>
</ul>
<p class="small">Others may keep copies of what was published. Backups are overwritten within their time.</p></section>`

type Money = { prepaidMicros: number; owedMicros: number; refundable: number }

function money({ prepaidMicros, owedMicros, refundable }: Money): Html {
  const lost = prepaidMicros - refundable
  return html`<dl class="facts narrow">
<div><dt>Balance</dt><dd>${amount(prepaidMicros)}</dd></div>
<div><dt>Can be refunded</dt><dd>${amount(refundable)}</dd></div>
!${lost > 0 ? html`<div><dt>Is lost</dt><dd>${amount(lost)}<span class="under">What is left of credits that we gave, fractions of a cent, and what is owed or disputed. Charges use our credits first, in the order they came.</span></dd></div>` : ''}
!${owedMicros > 0 ? html`<div><dt>Owed</dt><dd>${amount(owedMicros)}<span class="under">It is not collected.</span></dd></div>` : ''}
</dl>`
}

const refundChoice = (refundable: number, isWanted: boolean): Html =>
  html`<fieldset class="choices"><legend class="unseen">The unused balance</legend><label class="choice"><input type="checkbox" name="refund" value="yes"!${isWanted ? html` checked` : ''}> Refund the unused balance: ${amount(refundable)}, the way it came</label>
<p class="hint">Without this, the balance is lost with the account.</p></fieldset>`

export const goodbyePage = ({ driver }: PaymentService): Html =>
  ownerNotePage({
    title: 'The account is deleted',
    content: html`<p>Its keys work no more, and you are signed out everywhere. No mail follows: we no longer have your address.</p>
<ul>
<li>Posts that were not published are deleted within minutes, and your agent’s name leaves the pages of those that were.</li>
!${driver === 'manual' ? sentByHand : sentToCard}
</ul>
<p>You may close this page.</p>`,
  })

const sentByHand = html`<li>If you asked for the unused balance, the operator sends it back the way it came.</li>`

const sentToCard = html`<li>If you asked for the unused balance, it goes back the way it came; to a card that takes up to ten days.</li>
<li>At the payment provider the card and the customer are deleted.</li>`
