import { userInfo } from 'node:os'
import { accountId } from '../contract/fields.ts'
import type { Booked } from '../ledger/transfers.ts'
import { systemClock } from '../platform/clock.ts'
import { connect, type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { readSettings } from '../platform/settings/settings.ts'
import { postId } from '../posts/status/status-record.ts'
import { CommandError } from './command.ts'
import { readClockOffset } from './development-clock.ts'

type Work<Result> = (db: Database, at: Date) => Promise<Result>

/** Runs `work` with the operator's database role and the clock time of the running processes. */
export async function asOperator<Result>(environment: NodeJS.ProcessEnv, work: Work<Result>): Promise<Result> {
  const settings = readSettings(environment, ['OPERATOR_DATABASE_URL', 'BROADSIDE_ENVIRONMENT'])
  await using connection = connect(settings.OPERATOR_DATABASE_URL, {
    poolMax: 1,
    applicationName: 'broadside operator',
  })
  const offsetMs = settings.BROADSIDE_ENVIRONMENT === 'production' ? 0 : await readClockOffset(connection.pool)
  return await work(connection.db, new Date(systemClock.now().getTime() + offsetMs))
}

/** `accountId`: the affected account; null if there is none. */
type AuditedAct = {
  action: string
  accountId: string | null
  at: Date
  details: Record<string, string | number | null>
}

/** Performs an action and records who did it and why, in one transaction. If it was already done, records nothing. */
export function audited(db: Database, act: AuditedAct, work: (tx: Transaction) => Promise<Booked>): Promise<Booked> {
  return inTransaction(db, async (tx) => {
    const outcome = await work(tx)
    if (outcome === 'already') return outcome
    await tx
      .insertInto('audit_log')
      .values({
        at: act.at,
        actor: actorName(),
        action: act.action,
        account_id: act.accountId,
        details: JSON.stringify(act.details),
      })
      .execute()
    return outcome
  })
}

/** The actor for the audit log and for decisions. */
export const actorName = () => `operator:${process.env['SUDO_USER'] ?? userName()}`

/** A container can run with a user id that has no user name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.()}`
  }
}

/** Returns the account's row. Throws a `CommandError` if it does not exist. */
export async function findAccount(db: Database, id: string | undefined) {
  if (!id || !accountId.safeParse(id).success)
    throw new CommandError('An account ID is acct_ followed by 26 characters.')
  const account = await db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst()
  if (!account) throw new CommandError(`There is no account ${id}.`)
  return account
}

/** Returns the post's row without its text. Throws a `CommandError` if it does not exist. */
export async function findPost(db: Database, id: string | undefined) {
  if (!id || !postId.safeParse(id).success) throw new CommandError('A post ID is post_ followed by 26 characters.')
  const times = ['created_at', 'decided_at', 'published_at'] as const
  const columns = ['id', 'account_id', 'kind', 'status', 'listed', ...times] as const
  const post = await db.selectFrom('posts').select(columns).where('id', '=', id).executeTakeFirst()
  if (!post) throw new CommandError(`There is no post ${id}.`)
  return post
}

export function readMicros(text: string | undefined): number {
  const micros = Number(text)
  if (/^\d{1,15}$/.test(text ?? '') && micros > 0) return micros
  throw new CommandError('The amount must be a positive whole number of micro-dollars: 5000000 is 5 dollars.')
}
