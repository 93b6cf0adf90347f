import { readBalance } from '../../../ledger/balance.ts'
import { type Command, CommandError, type CommandInput, printJson, required } from '../../command.ts'
import { asOperator, audited, findAccount } from '../../operator.ts'

const options = { reason: { type: 'string', description: 'Reason, recorded in the audit log. Required.' } } as const

const showAccount: Command = {
  usage: 'account show <account_id>',
  summary: 'Prints an account with its balance, its keys and its latest audit log entries.',
  run: ({ values, environment }) =>
    asOperator(environment, async (db) => {
      const account = await findAccount(db, values['account_id'])
      const { prepaidMicros, owedMicros } = await readBalance(db, account.id)
      const keys = await db
        .selectFrom('api_keys')
        .select(['id', 'name', 'last4', 'created_at', 'last_used_at', 'revoked_at'])
        .where('account_id', '=', account.id)
        .orderBy('id')
        .execute()
      const acts = await db
        .selectFrom('audit_log')
        .select(['at', 'actor', 'action', 'details'])
        .where('account_id', '=', account.id)
        .orderBy('id', 'desc')
        .limit(50)
        .execute()
      printJson({ ...account, balance_micros: prepaidMicros, owed_micros: owedMicros, keys, acts })
    }),
}

const banAccount: Command = {
  usage: 'account ban <account_id>',
  summary: 'Bans an account. It can still read, appeal and delete, but not publish.',
  options,
  run: (input) => changeStanding(input, { from: 'good', to: 'banned', action: 'account.ban' }),
}

const unbanAccount: Command = {
  usage: 'account unban <account_id>',
  summary: 'Restores a banned account to good standing. Its strikes do not change.',
  options,
  run: (input) => changeStanding(input, { from: 'banned', to: 'good', action: 'account.unban' }),
}

type Change = { from: 'good' | 'banned'; to: 'good' | 'banned'; action: string }

function changeStanding({ values, flags, environment }: CommandInput, { from, to, action }: Change): Promise<void> {
  return asOperator(environment, async (db, now) => {
    const reason = required(flags, 'reason')
    const { id: accountId, standing } = await findAccount(db, values['account_id'])
    if (standing !== from)
      throw new CommandError(`The account's standing is '${standing}', not '${from}'; nothing was changed.`)
    await audited(db, { action, accountId, at: now, details: { reason } }, async (tx) => {
      const changed = await tx
        .updateTable('accounts')
        // An operator's ban does not end when a strike is removed. After an unban, a further strike can still ban.
        .set({ standing: to, banned_for_strikes: false })
        .where('id', '=', accountId)
        .where('standing', '=', from)
        .executeTakeFirst()
      if (changed.numUpdatedRows !== 1n)
        throw new CommandError('Someone else changed the standing at the same time. Check the account and try again.')
      return 'done'
    })
    printJson({ account_id: accountId, standing: to })
  })
}

const revokeKey: Command = {
  usage: 'keys revoke <key_id>',
  summary: 'Revokes an API key. Its next call is rejected.',
  details: '`account show` lists the account’s keys with their last four characters.',
  options,
  run: ({ values, flags, environment }) =>
    asOperator(environment, async (db, now) => {
      const reason = required(flags, 'reason')
      const id = String(values['key_id'])
      const key = await db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
      if (!key) throw new CommandError(`There is no key ${id}. A key ID starts with key_. It is not the key itself.`)
      const at = key.revoked_at ?? now
      if (!key.revoked_at)
        await audited(
          db,
          { action: 'key.revoke', accountId: key.account_id, at, details: { reason, key_id: id } },
          async (tx) => {
            const revoked = await tx
              .updateTable('api_keys')
              .set({ revoked_at: at })
              .where('id', '=', id)
              .where('revoked_at', 'is', null)
              .executeTakeFirst()
            return revoked.numUpdatedRows === 1n ? 'done' : 'already'
          },
        )
      printJson({ key_id: id, account_id: key.account_id, revoked_at: at })
    }),
}

export const commands: readonly Command[] = [showAccount, banAccount, unbanAccount, revokeKey]
