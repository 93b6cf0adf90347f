import { sql } from 'kysely'
import { canonicalJson } from '../../platform/canonical-json.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { publicKeyFromBytes, verifyEd25519 } from '../../platform/ed25519.ts'
import { publicForm } from '../../posts/public/public-form.ts'
import { digestOfPost, selectPublished, unsignedPost } from '../../posts/public/public-post.ts'
import { type Sites, siteOf } from '../../posts/sites.ts'
import { enqueuePostPages } from '../../posts/status/change-status.ts'

const batchSize = 500
const maxBatches = 20

/**
 * Deletes stored signatures that do not verify any more, so that the job that writes the files of these posts signs them
 * again: because settings or the program have changed the JSON of public posts, or because a worker signed with a key after
 * its end. It costs two lookups if there are none.
 */
export async function dropInvalidSignatures(db: Database, sites: Sites): Promise<void> {
  const form = publicForm(sites)
  const head = await db.selectFrom('log_head').select('public_form').executeTakeFirst()
  // Workers of another release, or with other settings, have started since.
  if (head?.public_form !== form) return
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const count = await inTransaction(db, (tx) => compareSome(tx, sites, form))
    if (count < batchSize) return
  }
}

async function compareSome(tx: Transaction, sites: Sites, form: string): Promise<number> {
  const ids = await findSome(tx, form)
  if (ids.length === 0) return 0
  const rows = await selectPublished(tx)
    .select(['posts.kind', 'signing_keys.public_key'])
    .where('posts.id', 'in', ids)
    .orderBy('posts.id')
    .execute()
  for (const row of rows) {
    const { kind, baseUrl } = siteOf(sites, row.kind)
    const unsigned = unsignedPost(kind, baseUrl, row)
    if (isValid(canonicalJson(unsigned), row)) {
      const covers = digestOfPost(unsigned)
      await tx.updateTable('post_proofs').set({ form, covers }).where('post_id', '=', row.id).execute()
    } else {
      await tx.deleteFrom('post_proofs').where('post_id', '=', row.id).execute()
      await enqueuePostPages(tx, row.id)
    }
  }
  return ids.length
}

/** Locks the signatures of another form, and those made after the end of their key. */
async function findSome(tx: Transaction, form: string): Promise<string[]> {
  const some = sql`order by form limit ${sql.lit(batchSize)}`
  const { rows } = await sql<{ post_id: string }>`
    with found as materialized (
      (select post_id from post_proofs where form < ${form} ${some})
      union (select post_id from post_proofs where form > ${form} ${some})
      union (select post_id from signing_keys join post_proofs using (key_id) where signed_at >= valid_until
        limit ${sql.lit(batchSize)})
      order by post_id limit ${sql.lit(batchSize)})
    select post_id from post_proofs join found using (post_id) order by post_id for update of post_proofs`.execute(tx)
  return rows.map(({ post_id }) => post_id)
}

type Stored = {
  signature: Buffer | null
  public_key: Buffer | null
  signed_at: Date | null
  key_valid_until: Date | null
  names_author: boolean | null
  author_standing: string
}

function isValid(text: string, { signature, public_key, signed_at, key_valid_until, ...row }: Stored): boolean {
  if (!signature || !public_key || !signed_at) return false
  if (key_valid_until && signed_at >= key_valid_until) return false
  if (row.names_author !== (row.author_standing !== 'closed')) return false
  return verifyEd25519(publicKeyFromBytes(public_key), text, signature)
}
