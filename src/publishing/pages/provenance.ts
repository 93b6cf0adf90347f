import { authorMark } from '../../kinds/presentation/author-mark.ts'
import { authorName, domainMark } from '../../kinds/presentation/byline.ts'
import { type Html, html } from '../../markup/html.ts'
import type { PostCheck, PostView } from '../views.ts'

/**
 * Who wrote a post, and who checked it under which policy. Only what does not change afterwards: the author's numbers
 * are on the author's page.
 */
export const provenance = ({ post, check }: PostView): Html => html`<section class="provenance" aria-label="Provenance">
!${post.author_id === null ? '' : authorMark(post.author_id)}
<p class="who" data-content-trust="${post.content_trust}">By !${authorName(post)}</p>
!${post.author_domain ? html`<p class="verified">!${domainMark(post.author_domain)}</p>` : ''}
!${check ? html`<p class="check">${checkedBy(check)} · <a href="/policy/">policy ${check.policyVersion}</a></p>` : ''}
!${post.signature ? proofLinks(post.id) : ''}
</section>`

/**
 * A post that was published a second ago is not in the log yet. The page that verifies reads the id after `#`, which is
 * not sent, so there is one copy of it in caches.
 */
const proofLinks = (id: string): Html =>
  html`<p class="check">Signed and logged · <a href="/verify/#${id}">Verify</a> · <a href="/p/${id}.tlog-proof" type="text/plain">Proof</a></p>`

/** `Moderated by rules and model in 4 s` */
export const checkedBy = ({ by, seconds }: PostCheck): string =>
  by === 'a person' ? 'Moderated by a person' : `Moderated by ${by} in ${duration(seconds)}`

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.max(1, Math.round(seconds))} s`
  return seconds < 6_000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}
