import { randomInt } from 'node:crypto'
import { enqueueSoon } from '../../jobs/enqueue.ts'
import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import { logAgain, signPost } from '../../posts/public/sign-post.ts'
import { enqueuePostPages, lockPost } from '../../posts/status/change-status.ts'
import { type PostPageRow, postView, selectPostPages } from '../listings/read-posts.ts'
import type { PublishedSite, Publishing } from '../publishing.ts'

type Signed = Pick<PublishedSite, 'view' | 'signer'>

/**
 * Signs a public post that has no valid signature: an older one, one that a process without the key has changed, or one
 * that new settings have changed. A post whose entry is in a closed log keeps its signature, and gets an entry in the open
 * one.
 *
 * A post of a closed account waits for its signature, and is unsigned until then.
 */
export async function readSigned(tx: Transaction, site: Signed, postId: string): Promise<PostPageRow> {
  const row = await readPage(tx, postId)
  const lack = lackOf(site, row)
  if (!site.signer || !lack) return row
  if (lack === 'entry' || row.author_standing !== 'closed') return sign(tx, site, postId)
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
    if (!post || !site?.signer || !lackOf(site, await readPage(tx, post.id))) return
    await sign(tx, site, post.id)
    await enqueuePostPages(tx, post.id)
  })
}

const readPage = (tx: Transaction, postId: string) =>
  selectPostPages(tx).where('posts.id', '=', postId).executeTakeFirstOrThrow()

function lackOf({ view }: Signed, row: PostPageRow): 'signature' | 'entry' | undefined {
  if (row.status !== 'published') return undefined
  if (postView(view, row)?.post.signature === null) return 'signature'
  return row.is_in_closed_log ? 'entry' : undefined
}

async function sign(tx: Transaction, { view, signer }: Signed, postId: string): Promise<PostPageRow> {
  // A removal waits for the signature, or has taken place.
  await lockPost(tx, postId)
  const row = await readPage(tx, postId)
  const lack = lackOf({ view, signer }, row)
  if (!signer || !lack) return row
  const type = row.edited_at ? 'edit' : 'post'
  if (lack === 'entry') await logAgain(tx, { ...view, signer }, { postId, type })
  else await signPost(tx, { ...view, signer }, { postId, at: await timeOfVersion(tx, signer.keyId, row), type })
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
