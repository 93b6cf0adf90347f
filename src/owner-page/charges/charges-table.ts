import type { LedgerReason } from '../../../generated/database-types.ts'
import { kinds } from '../../kinds/index.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount, signedAmount } from '../../markup/money.ts'
import { postUrl } from '../../posts/sites.ts'
import { when } from '../../web-pages/elements.ts'
import { shortTitle, statusLabel } from '../posts/post-labels.ts'
import type { ListedCharge } from './list-charges.ts'

type BaseUrls = Readonly<Record<string, string>>

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

/** The post's title, with a link to its public page or with its status. */
function postCell({ post_id, kind, status, isReversed, content }: ListedCharge, baseUrls: BaseUrls): Html {
  if (!post_id || !kind || !status) return html`–`
  const site = baseUrls[kind]
  const place =
    status === 'published' && site
      ? html`<a class="under" href="${postUrl(site, post_id)}">Public page</a>`
      : html`<span class="under">${statusLabel({ status, isReversed })}</span>`
  return html`<a href="/account/posts/${post_id}" dir="auto">${shortTitle({ kind, content })}</a> !${place}`
}

/** A transfer's description for the owner. */
export function chargeWords(charge: Told & Pick<ListedCharge, 'reason' | 'kind'>): string {
  const noun = kinds.find(({ name }) => name === charge.kind)?.site.noun ?? 'post'
  return words[charge.reason]({ ...charge, noun })
}

type Told = Pick<ListedCharge, 'cause' | 'from_book' | 'amount_micros' | 'takes_fee'>

const words: Record<LedgerReason, (told: Told & { noun: string }) => string> = {
  post: ({ noun }) => `Posting: ${noun}`,
  edit: ({ noun }) => `Edit: ${noun}`,
  search: () => 'Search beyond the free allowance',
  refund: () => 'Fee refunded',
  review_return: () => 'Fee returned: the review took too long',
  penalty: ({ from_book, takes_fee }) =>
    `${from_book === 'owed' ? 'Penalty above the balance, now owed' : 'Penalty for abuse'}${takes_fee ? ', including the returned fee' : ''}`,
  penalty_return: () => 'Penalty reversed',
  settlement: ({ amount_micros }) => `Debt of ${amount(amount_micros)} paid from the balance`,
  top_up: ({ cause }) => (cause === 'recharge' ? 'Automatic recharge' : 'Top-up'),
  payout: () => 'Unused balance refunded',
  payout_return: () => 'Failed refund returned to the balance',
  dispute: () => 'On hold: payment disputed',
  dispute_return: () => 'Released: dispute closed',
  dispute_loss: () => 'Disputed payment returned',
  credit: () => 'Credit from Broadside',
  debit: () => 'Credit reversed by Broadside',
}

/** How the transfer changed the account's net worth: balance minus debt. Paying a debt is neutral. */
export function effectMicros({
  from_book,
  to_book,
  amount_micros,
}: Pick<ListedCharge, 'from_book' | 'to_book' | 'amount_micros'>) {
  const isOwn = (book: string) => book === 'prepaid' || book === 'owed'
  return amount_micros * (Number(isOwn(to_book)) - Number(isOwn(from_book)))
}
