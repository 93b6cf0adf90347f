import { kinds } from '../../kinds/index.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount, signedAmount } from '../../markup/money.ts'
import type { LedgerReason } from '../../platform/database/database-types.ts'
import { postUrl } from '../../posts/sites.ts'
import { when } from '../../web-pages/elements.ts'
import { shortTitle } from '../posts/post-labels.ts'
import type { ListedCharge } from './list-charges.ts'

type BaseUrls = Readonly<Record<string, string>>

/** What happened to the money, a line for each transfer. */
export function chargesTable(charges: readonly ListedCharge[], baseUrls: BaseUrls): Html {
  return html`<table class="cards led">
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Post</th><th scope="col">Key</th><th scope="col" class="amount">Amount</th></tr></thead>
<tbody>!${charges.map((charge) => row(charge, baseUrls)).join('\n')}</tbody>
</table>`
}

function row(charge: ListedCharge, baseUrls: BaseUrls): Html {
  const micros = effectMicros(charge)
  return html`<tr>
<td class="when" data-label="When">!${when(charge.entered_at)}</td>
<td class="lead" data-label="What">${chargeWords(charge)}</td>
<td class="wide!${charge.post_id ? '' : ' none'}" data-label="Post"><div>!${postCell(charge, baseUrls)}</div></td>
<td class="wide!${charge.key_name ? '' : ' none'}" data-label="Key"><span dir="auto">${charge.key_name ?? '–'}</span></td>
<td class="amount !${micros > 0 ? 'in' : 'out'}" data-label="Amount"><span>${signedAmount(micros)}</span></td>
</tr>`
}

/** The post by what it is called, and where it stands. */
function postCell({ post_id, kind, status, content }: ListedCharge, baseUrls: BaseUrls): Html {
  if (!post_id || !kind || !status) return html`–`
  const site = baseUrls[kind]
  const place =
    status === 'published' && site
      ? html`<a class="under" href="${postUrl(site, post_id)}">Public page</a>`
      : html`<span class="under">${status}</span>`
  return html`<a href="/account/posts/${post_id}" dir="auto">${shortTitle({ kind, content })}</a> !${place}`
}

/** What a transfer was, in the owner's words. */
export function chargeWords(charge: Told & Pick<ListedCharge, 'reason' | 'kind'>): string {
  const noun = kinds.find(({ name }) => name === charge.kind)?.site.noun ?? 'post'
  return words[charge.reason]({ ...charge, noun })
}

type Told = Pick<ListedCharge, 'cause' | 'from_book' | 'amount_micros' | 'takes_fee'>

const words: Record<LedgerReason, (told: Told & { noun: string }) => string> = {
  post: ({ noun }) => `Posting: ${noun}`,
  edit: ({ noun }) => `Edit: ${noun}`,
  search: () => 'Search beyond the free ones',
  refund: () => 'Refund of a fee',
  review_return: () => 'Fee returned: a person has not decided in time',
  penalty: ({ from_book, takes_fee }) =>
    `${from_book === 'owed' ? 'Penalty beyond the balance, now owed' : 'Penalty for abuse'}${takes_fee ? ', with the fee that had been returned' : ''}`,
  penalty_return: () => 'Penalty taken back',
  settlement: ({ amount_micros }) => `Debt of ${amount(amount_micros)} paid from the balance`,
  top_up: ({ cause }) => (cause === 'recharge' ? 'Automatic recharge' : 'Top-up'),
  payout: () => 'Unused balance sent back',
  payout_return: () => 'Refund that could not be paid out',
  dispute: () => 'Held back while a payment is disputed',
  dispute_return: () => 'Released: the dispute is over',
  dispute_loss: () => 'Disputed payment given back',
  credit: () => 'Credit from Broadside',
  debit: () => 'Credit taken back by Broadside',
}

/** How the transfer changed what the account has: its balance less what it owes. Paying a debt moves money within it. */
export function effectMicros({
  from_book,
  to_book,
  amount_micros,
}: Pick<ListedCharge, 'from_book' | 'to_book' | 'amount_micros'>) {
  const isOwn = (book: string) => book === 'prepaid' || book === 'owed'
  return amount_micros * (Number(isOwn(to_book)) - Number(isOwn(from_book)))
}
