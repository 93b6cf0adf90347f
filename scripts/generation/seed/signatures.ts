import { retention } from '../../../src/contract/retention/periods.ts'
import type { Kind } from '../../../src/kinds/index.ts'
import { signatureOf } from '../../../src/posts/duplicates/signature.ts'

export const signatureColumns = 'post_id, account_id, words, bands, minhash, created_at'

type Compared = { id: string; author: string; kind: Kind; at: Date; content: object }

/** What new posts are compared with: empty for a post that is too old or too short. */
export function signatureLine({ id, author, kind, at, content }: Compared, now: Date): string {
  const isCompared = at.getTime() > now.getTime() - retention.signatures.keptSeconds * 1_000
  const signature = isCompared ? signatureOf(kind.texts(content)) : null
  if (!signature) return ''
  const { words, bands, minhash } = signature
  return `${id}\t${author}\t${words}\t{${bands.join(',')}}\t{${minhash.join(',')}}\t${at.toISOString()}\n`
}
