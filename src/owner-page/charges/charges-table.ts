import { type Html, html } from '../../markup/html.ts'
import { when } from '../../page-door/when.ts'
import { postUrl } from '../../posts/sites.ts'
import { signedAmount } from '../amount.ts'
import { postTitle } from '../posts/post-title.ts'
import { chargeWords, effectMicros } from './charge-words.ts'
import type { Charge } from './list-charges.ts'

type BaseUrls = Readonly<Record<string, string>>

/** What happened to the money, a line for each transfer. */
export function chargesTable(charges: readonly Charge[], baseUrls: BaseUrls): Html {
  return html`<table class="cards led">
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Post</th><th scope="col">Key</th><th scope="col" class="amount">Amount</th></tr></thead>
<tbody>!${charges.map((charge) => row(charge, baseUrls)).join('\n')}</tbody>
</table>`
}

function row(charge: Charge, baseUrls: BaseUrls): Html {
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
function postCell({ post_id, kind, status, content }: Charge, baseUrls: BaseUrls): Html {
  if (!post_id || !kind || !status) return html`–`
  const site = baseUrls[kind]
  const place =
    status === 'published' && site
      ? html`<a class="under" href="${postUrl(site, post_id)}">Public page</a>`
      : html`<span class="under">${status}</span>`
  return html`<a href="/account/posts/${post_id}" dir="auto">${postTitle({ kind, content })}</a> !${place}`
}
