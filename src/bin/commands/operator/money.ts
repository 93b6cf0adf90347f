import { randomUUID } from 'node:crypto'
import { readBalance } from '../../../ledger/balance.ts'
import { credit, debit } from '../../../ledger/deposits.ts'
import { BalanceTooLow, PurposeTaken } from '../../../ledger/transfers.ts'
import { verifyLedger } from '../../../ledger/verify.ts'
import { systemClock } from '../../../platform/clock.ts'
import { connect } from '../../../platform/database/database.ts'
import { recordCheck } from '../../../platform/observability/checks.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError, type CommandInput, printJson, required } from '../../command.ts'
import { asOperator, audited, findAccount, readMicros } from '../../operator.ts'
import { showProgress } from '../../progress.ts'

const options = {
  reason: { type: 'string', description: 'Reason, recorded in the audit log. Required.' },
  id: { type: 'string', description: 'Unique name of this booking. A name is booked only once, so a retry is safe.' },
} as const

const creditCommand: Command = {
  usage: 'credit <account_id> <micros>',
  summary: 'Books a credit and prints the new balance.',
  details: 'The credit settles any debt first. 1 USD is 1,000,000 micro-dollars.',
  options,
  run: (input) => book(input, 'credit', credit),
}

const debitCommand: Command = {
  usage: 'debit <account_id> <micros>',
  summary: 'Books a debit and prints the new balance.',
  details: 'Fails if the prepaid balance is too low: it never goes below zero.',
  options,
  run: (input) => book(input, 'debit', debit),
}

type Reason = 'credit' | 'debit'

function book({ values, flags, environment }: CommandInput, reason: Reason, transfer: typeof credit): Promise<void> {
  return asOperator(environment, async (db, at) => {
    const why = required(flags, 'reason')
    const amountMicros = readMicros(values['micros'])
    const { id: accountId } = await findAccount(db, values['account_id'])
    const subject = `operator:${readActName(flags['id'])}`
    const details = { reason: why, amount_micros: amountMicros, subject }
    const booked = await audited(db, { action: `ledger.${reason}`, accountId, at, details }, (tx) =>
      transfer(tx, { accountId, amountMicros, subject, at }),
    ).catch((error) => {
      if (error instanceof BalanceTooLow)
        throw new CommandError('The prepaid balance is too low. Nothing was recorded.')
      if (error instanceof PurposeTaken)
        throw new CommandError('This --id was already used for another account or amount. Nothing was recorded.')
      throw error
    })
    const { prepaidMicros, owedMicros } = await readBalance(db, accountId)
    printJson({ account_id: accountId, booked, balance_micros: prepaidMicros, owed_micros: owedMicros })
  })
}

function readActName(given: string | boolean | undefined): string {
  if (given === undefined) return randomUUID()
  if (typeof given === 'string' && /^\S{1,60}$/.test(given)) return given
  throw new CommandError('--id must be a name of up to 60 characters without spaces.')
}

const verifyLedgerCommand: Command = {
  usage: 'ledger verify',
  summary: 'Recomputes every balance from the transfers, and exits with code 1 on any difference.',
  run: async ({ environment }) => {
    const { READER_DATABASE_URL, CHECKS_DIRECTORY } = readSettings(environment, [
      'READER_DATABASE_URL',
      'CHECKS_DIRECTORY',
    ])
    await using connection = connect(READER_DATABASE_URL, {
      poolMax: 1,
      applicationName: 'broadside ledger verify',
      statementTimeoutMs: 0,
      acceptsReadOnly: true,
    })
    const verification = await verifyLedger(connection.db, showProgress('verified'))
    printJson(verification)
    const ok = verification.difference_count === 0 && verification.sum_micros === '0'
    await recordCheck(CHECKS_DIRECTORY, 'ledger', { ok, at: systemClock.now() })
    if (!ok)
      throw new CommandError('The transfers and the balances do not match. See docs/runbooks/ledger-does-not-sum.md.')
  },
}

export const commands: readonly Command[] = [creditCommand, debitCommand, verifyLedgerCommand]
