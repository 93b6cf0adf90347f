import { type Database, inTransaction } from '../../platform/database.ts'
import { askForLink } from './sends.ts'

/** An address may own many accounts. Who has more finds the rest through their agents. */
const maxAccounts = 10

/** Has links mailed to whoever owns accounts under this address. The caller learns nothing. */
export async function mailLinksTo(db: Database, { email, at }: { email: string; at: Date }): Promise<void> {
  const accounts = await db
    .selectFrom('accounts')
    .select('id')
    .where((where) => where(where.fn('lower', ['email']), '=', email.toLowerCase()))
    .where('standing', '<>', 'closed')
    .orderBy('created_at', 'desc')
    .limit(maxAccounts)
    .execute()
  for (const { id } of accounts) await inTransaction(db, (tx) => askForLink(tx, id, at))
}
