import { randomInt } from 'node:crypto'
import { enqueueSoon } from '../../jobs/enqueue.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { signPost } from '../../posts/public/sign-post.ts'
import { enqueuePostPages, lockPost } from '../../posts/status/change-status.ts'
import { type PostPageRow, postView, selectPostPages } from '../listings/read-posts.ts'
import type { PublishedSite, Publishing } from '../publishing.ts'

type Signed = Pick<PublishedSite, 'view' | 'signer'>

/**
 * Signs a public post that has no valid signature: an older one, or one that a process without the key has changed. A post
 * whose entry is in a closed log is signed again for the open one; the same key gives the same signature.
 *
 * A post of a closed account waits, and is unsigned until then.
 */
export async function readSigned(tx: Transaction, site: Signed, postId: string): Promise<PostPageRow> {
  const row = await readPage(tx, postId)
  if (!site.signer || !isUnsigned(site, row)) return row
  if (row.author_standing !== 'closed') return sign(tx, site, postId)
  await enqueueAnonymous(tx, postId)
  return row
}

/**
 * The longest delay after which a post of a closed account is signed. Signed at once, all posts of an account would have
 * entries that stand together in the transparency log, for good. Within a day, other entries come between them.
 */
const longestDelaySeconds = 86_400

const enqueueAnonymous = (tx: Transaction, postId: string): Promise<void> =>
  enqueueSoon(tx, 'sign-anonymous-post', [
    { payload: { post_id: postId }, once: postId, delaySeconds: randomInt(longestDelaySeconds) },
  ])

/** Signs a post of a closed account. Its files are then written again. */
export async function signAnonymousPost({ db, sites }: Publishing, payload: { post_id: string }): Promise<void> {
  await inTransaction(db, async (tx) => {
    const post = await lockPost(tx, payload.post_id)
    const site = post && sites.get(post.kind)
    if (!post || !site?.signer || !isUnsigned(site, await readPage(tx, post.id))) return
    await sign(tx, site, post.id)
    await enqueuePostPages(tx, post.id)
  })
}

const readPage = (tx: Transaction, postId: string) =>
  selectPostPages(tx).where('posts.id', '=', postId).executeTakeFirstOrThrow()

const isUnsigned = ({ view }: Signed, row: PostPageRow): boolean =>
  row.status === 'published' && (postView(view, row)?.post.signature === null || row.is_in_closed_log === true)

async function sign(tx: Transaction, site: Signed, postId: string): Promise<PostPageRow> {
  // A removal waits for the signature, or has taken place.
  await lockPost(tx, postId)
  const row = await readPage(tx, postId)
  if (!site.signer || !isUnsigned(site, row)) return row
  const at = await timeOfVersion(tx, site.signer.keyId, row)
  await signPost(tx, { ...site.view, signer: site.signer }, { postId, at, type: row.edited_at ? 'edit' : 'post' })
  return readPage(tx, postId)
}

/**
 * When the version was published, if the key was valid then. The time at which this job runs would show when the account
 * was closed.
 */
async function timeOfVersion(tx: Transaction, keyId: string, { edited_at, published_at }: PostPageRow): Promise<Date> {
  const { valid_from } = await tx
    .selectFrom('signing_keys')
    .select('valid_from')
    .where('key_id', '=', keyId)
    .executeTakeFirstOrThrow()
  const version = edited_at ?? published_at
  return version && version > valid_from ? version : valid_from
}
