import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { canonicalJson } from '../../platform/canonical-json.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { signEd25519 } from '../../platform/ed25519.ts'
import { commitmentTo, saltBytes } from '../../transparency-log/entries.ts'
import type { Site } from '../sites.ts'
import { publicPost, selectPublished, unsignedPost } from './public-post.ts'

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
  const row = await selectPublished(tx).where('posts.id', '=', postId).executeTakeFirstOrThrow()
  const signature = signEd25519(signer.privateKey, canonicalJson(unsignedPost(kind, baseUrl, row)))
  const names_author = row.author_standing !== 'closed'
  const signed = { ...row, signature_key_id: signer.keyId, signed_at: at, signature, names_author }
  const salt = randomBytes(saltBytes)
  const commitment = commitmentTo(signer.logOrigin, salt, publicPost(kind, baseUrl, signed))
  await sql`
    with queued as (insert into log_queue (type, commitment)
      select ${type}, ${commitment} from log_head where origin = ${signer.logOrigin} returning id)
    insert into post_proofs (post_id, key_id, signed_at, signature, names_author, salt, queue_id)
    select ${postId}, ${signer.keyId}, ${at}, ${signature}, ${names_author}, ${salt}, id from queued`.execute(tx)
}
