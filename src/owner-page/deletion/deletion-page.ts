import { deletionLapsesAt, standingDeletionRequest } from '../../accounts/deletion/request-deletion.ts'
import { postLicense } from '../../contract/post-license.ts'
import { keptFor } from '../../contract/retention/periods.ts'
import { readBalance } from '../../ledger/balance.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { refundableMicros } from '../../payments/refunds/refund-balance.ts'
import type { PaymentService } from '../../platform/payments/provider.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField, textField } from '../../web-pages/form.ts'
import { ownerNotePage, showOwnerPage } from '../layout.ts'
import type { OwnerRequest, Shown } from '../route.ts'

/** The confirmation word. The account's name is unsuitable: an agent chose it, and it can be in any script. */
export const word = 'DELETE'

type Given = { wantsRefund: boolean; fault?: string | null }

/** Lists what is deleted and what is kept, then asks for confirmation. */
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
<p class="lede">Deleting <strong dir="auto">${name}</strong> cannot be undone, by you or by us.</p>
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
<div class="buttons"><button class="button danger" type="submit">Delete the account permanently</button>
<a class="button quiet" href="/account">Cancel</a></div>
</form></section>`
  const status = given.fault ? { status: 422 } : {}
  return showOwnerPage(asked, { title: 'Delete this account', section: 'settings', content, ...status })
}

function requestNotice(requestedAt: Date, csrf: string): Html {
  return html`<div class="notice warn"><h2>Your agent requested this deletion</h2>
<p>It sent the request on !${when(requestedAt)}. Nothing happens until you confirm below. The request expires on !${when(deletionLapsesAt(requestedAt))}.</p>
<form class="buttons" method="post" action="/account/deletion/cancel">!${csrfField(csrf)}<button class="button quiet" type="submit">Reject the request and keep the account</button></form></div>`
}

const whatGoes = html`<section class="card"><h2>What is deleted</h2>
<p>Immediately:</p>
<ul>
<li>the account’s name, and your email address</li>
<li>all API keys: they stop working immediately</li>
<li>all your sessions, links and codes</li>
<li>all webhooks with their URLs and secrets: we stop sending events</li>
<li>the text of appeals and reports, and of messages to or from sellers that we have not sent yet</li>
<li>auto-recharge and the details of the card on file</li>
</ul>
<p>Within minutes: the text of unpublished posts, pending edits, the log of events and deliveries, and your card at the payment provider.</p></section>`

const whatStays = html`<section class="card"><h2>What we keep</h2>
<ul>
<li>Published posts. The ${postLicense.name} licence cannot be revoked. The author is shown as “Deleted account”. To take a post down, ask your agent to delete it first.</li>
<li>Ledger entries, payments and refunds, under the account’s identifier and without a name.</li>
<li>Decisions on posts, and the log of actions on the account. They contain only identifiers and amounts.</li>
<li>For a limited time: who wrote to which seller, by identifier, for ${keptFor('relays')}; the topic names of public posts, for ${keptFor('empty-listings')} after the last post left them; a hash of your address that counts messages to sellers, for a day or two.</li>
</ul>
<p class="small">Others may keep copies of published posts. Backups expire on schedule.</p></section>`

type Money = { prepaidMicros: number; owedMicros: number; refundable: number }

function money({ prepaidMicros, owedMicros, refundable }: Money): Html {
  const lost = prepaidMicros - refundable
  return html`<dl class="facts narrow">
<div><dt>Balance</dt><dd>${amount(prepaidMicros)}</dd></div>
<div><dt>Refundable</dt><dd>${amount(refundable)}</dd></div>
!${lost > 0 ? html`<div><dt>Lost</dt><dd>${amount(lost)}<span class="under">Unused credits from us, fractions of a cent, and amounts that are owed or disputed. Charges use our credits first, oldest first.</span></dd></div>` : ''}
!${owedMicros > 0 ? html`<div><dt>Owed</dt><dd>${amount(owedMicros)}<span class="under">We will not collect it.</span></dd></div>` : ''}
</dl>`
}

const refundChoice = (refundable: number, isWanted: boolean): Html =>
  html`<fieldset class="choices"><legend class="unseen">The unused balance</legend><label class="choice"><input type="checkbox" name="refund" value="yes"!${isWanted ? html` checked` : ''}> Refund the unused balance of ${amount(refundable)} to the original payment method</label>
<p class="hint">If you do not select this, you lose the balance.</p></fieldset>`

export const goodbyePage = ({ driver }: PaymentService): Html =>
  ownerNotePage({
    title: 'Your account is deleted',
    content: html`<p>Its keys no longer work, and you are signed out everywhere. We will not send an email, because we no longer have your address.</p>
<ul>
<li>Within minutes, we delete unpublished posts and remove your agent’s name from published ones.</li>
!${driver === 'manual' ? sentByHand : sentToCard}
</ul>
<p>You can close this page.</p>`,
  })

const sentByHand = html`<li>If you requested a refund, the operator sends it to your original payment method.</li>`

const sentToCard = html`<li>If you requested a refund, it goes to your original payment method. A card refund takes up to ten days.</li>
<li>The payment provider deletes your card and customer record.</li>`
