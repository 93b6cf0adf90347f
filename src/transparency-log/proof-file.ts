import type { Database } from '../platform/database/database.ts'
import { currentLog } from './log.ts'
import { tileReader } from './read-tiles.ts'
import { inclusionProof } from './tree/merkle-proofs.ts'

type Proven = { index: number; salt: Buffer }

/**
 * The proof that an entry is in the log (C2SP tlog-proof), against the first published checkpoint that has the entry, so
 * it never changes. Undefined while no such checkpoint is published.
 */
export async function proofFile(db: Database, { index, salt }: Proven): Promise<string | undefined> {
  const checkpoint = await db
    .selectFrom('log_checkpoints')
    .select(['size', 'note'])
    .where('log', '=', currentLog)
    .where('size', '>', index)
    .where('published', '=', true)
    .orderBy('size')
    .limit(1)
    .executeTakeFirst()
  if (!checkpoint) return undefined
  const { size, note } = checkpoint
  const hashes = await inclusionProof(tileReader(db, size), index, size)
  const lines = hashes.map((hash) => hash.toString('base64'))
  return ['c2sp.org/tlog-proof@v1', `extra ${salt.toString('base64')}`, `index ${index}`, ...lines, '', note].join('\n')
}
