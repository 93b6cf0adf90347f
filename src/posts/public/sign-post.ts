import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { canonicalJson } from '../../platform/canonical-json.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { signEd25519 } from '../../platform/ed25519.ts'
import { commitmentTo, saltBytes } from '../../transparency-log/entries.ts'
import { firstOfCurrentLog } from '../../transparency-log/log.ts'
import type { Site } from '../sites.ts'
import { shownSignature, signedPart } from './public-post.ts'

/**
 * Signs the current version of a public post and queues its entry for the transparency log, in the transaction that
 * changes the post. The row of the last version is replaced, and with it the salt that opened its entry.
 *
 * A process without the key leaves the post unsigned, and the job that writes the post's files signs it. A process whose
 * key has ended, or whose log was closed, changes nothing.
 */
export async function signPost(tx: Transaction, { kind, signer }: Site, postId: string, at: Date): Promise<void> {
  if (!signer) return void (await tx.deleteFrom('post_proofs').where('post_id', '=', postId).execute())
  const { keyId, privateKey, logOrigin } = signer
  const post = await tx
    .selectFrom('posts')
    .select(['id', 'revision', 'published_at', 'content'])
    .where('id', '=', postId)
    .executeTakeFirstOrThrow()
  const signature = signEd25519(privateKey, canonicalJson(signedPart(kind, post)))
  const signed = { ...post, kind: kind.name, signature_key_id: keyId, signed_at: at, signature }
  const { type, commitment, salt } = entryOf(logOrigin, signed)
  const { numAffectedRows } = await sql`
    with queued as (insert into log_queue (type, commitment)
      select ${type}, ${commitment} from log_head, signing_keys
      where origin = ${logOrigin} and key_id = ${keyId} and valid_until is null returning id)
    insert into post_proofs (post_id, key_id, signed_at, signature, salt, queue_id)
    select ${postId}, ${keyId}, ${at}, ${signature}, ${salt}, id from queued
    on conflict (post_id) do update set key_id = excluded.key_id, signed_at = excluded.signed_at,
      signature = excluded.signature, salt = excluded.salt, queue_id = excluded.queue_id, entry_index = null`.execute(
    tx,
  )
  if (numAffectedRows !== 1n)
    throw new Error('the key or the log of this process has ended: restart it with the current settings')
}

type SignedVersion = Parameters<typeof signedPart>[1] & Parameters<typeof shownSignature>[0] & { kind: string }

/** The entry commits to what is signed, and to its signature. */
function entryOf(origin: string, post: SignedVersion) {
  const salt = randomBytes(saltBytes)
  const document = { ...signedPart({ name: post.kind }, post), signature: shownSignature(post) }
  return { type: post.revision > 1 ? 'edit' : 'post', commitment: commitmentTo(origin, salt, document), salt }
}

const batchSize = 500

/** Queues an entry for the open log for every post whose entry is in a closed one. Signatures stay, whoever's key made them. */
export async function logPostsAgain(db: Database, origin: string): Promise<void> {
  while ((await inTransaction(db, (tx) => logSomeAgain(tx, origin))) > 0);
}

async function logSomeAgain(tx: Transaction, origin: string): Promise<number> {
  const { rows } = await sql<SignedVersion>`
    select id, kind, revision, published_at, content, key_id as signature_key_id, signed_at, signature
    from post_proofs join posts on posts.id = post_id
    where post_id in (
      select post_id from post_proofs where queue_id < ${firstOfCurrentLog} order by queue_id limit ${sql.lit(batchSize)})
    order by post_id for update of post_proofs`.execute(tx)
  for (const post of rows) {
    const { type, commitment, salt } = entryOf(origin, post)
    await sql`
      with queued as (insert into log_queue (type, commitment) values (${type}, ${commitment}) returning id)
      update post_proofs set salt = ${salt}, queue_id = queued.id, entry_index = null from queued
      where post_id = ${post.id}`.execute(tx)
  }
  return rows.length
}
