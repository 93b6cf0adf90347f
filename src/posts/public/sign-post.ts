import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { canonicalJson } from '../../platform/canonical-json.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { signEd25519 } from '../../platform/ed25519.ts'
import { commitmentTo, saltBytes } from '../../transparency-log/entries.ts'
import type { Site } from '../sites.ts'
import { digestOfPost, selectPublished, signedPost, unsignedPost } from './public-post.ts'

type Signing = { postId: string; at: Date; type: 'post' | 'edit' }

/**
 * Signs the current version of a public post and queues its entry for the transparency log, in the transaction that
 * changes the post. The row of the last version is replaced, and with it the salt that opened its entry.
 *
 * A process without the key, or of a log that was closed meanwhile, leaves the post unsigned. The job that writes the
 * post's files signs it then.
 */
export async function signPost(tx: Transaction, site: Site, { postId, at, type }: Signing): Promise<void> {
  await tx.deleteFrom('post_proofs').where('post_id', '=', postId).execute()
  const { kind, baseUrl, signer } = site
  if (!signer) return
  const row = await readPublished(tx, postId)
  const unsigned = unsignedPost(kind, baseUrl, row)
  const signature = signEd25519(signer.privateKey, canonicalJson(unsigned))
  const [covers, names_author] = [digestOfPost(unsigned), row.author_standing !== 'closed']
  const signed = { ...row, signature_key_id: signer.keyId, signed_at: at, signature, names_author, covers }
  const salt = randomBytes(saltBytes)
  const commitment = commitmentTo(signer.logOrigin, salt, signedPost(kind, baseUrl, signed))
  await sql`
    with queued as (insert into log_queue (type, commitment)
      select ${type}, ${commitment} from log_head where origin = ${signer.logOrigin} returning id)
    insert into post_proofs (post_id, key_id, signed_at, signature, names_author, covers, form, salt, queue_id)
    select ${postId}, ${signer.keyId}, ${at}, ${signature}, ${names_author}, ${covers}, ${signer.form}, ${salt}, id
    from queued`.execute(tx)
}

/** Queues an entry for the open log for a post whose entry is in a closed one. Its signature stays, whoever's key made it. */
export async function logAgain(
  tx: Transaction,
  { kind, baseUrl, signer }: Site,
  { postId, type }: Omit<Signing, 'at'>,
): Promise<void> {
  if (!signer) return
  const salt = randomBytes(saltBytes)
  const commitment = commitmentTo(signer.logOrigin, salt, signedPost(kind, baseUrl, await readPublished(tx, postId)))
  await sql`
    with queued as (insert into log_queue (type, commitment)
      select ${type}, ${commitment} from log_head where origin = ${signer.logOrigin} returning id)
    update post_proofs set salt = ${salt}, queue_id = queued.id, entry_index = null from queued
    where post_id = ${postId}`.execute(tx)
}

const readPublished = (tx: Transaction, postId: string) =>
  selectPublished(tx).where('posts.id', '=', postId).executeTakeFirstOrThrow()
