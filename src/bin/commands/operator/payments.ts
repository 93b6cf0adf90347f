import { readBalance } from '../../../ledger/balance.ts'
import { confirmPayment, endRefund, ManualConfirmationRefused } from '../../../payments/manual-confirmation.ts'
import { listAllPayments } from '../../../payments/read-payments.ts'
import { askToSettle, findDifferences, lastDays, usualDays } from '../../../payments/reconcile.ts'
import { listAskedRefunds, listUnpaidRefunds, readAnyRefund } from '../../../payments/refunds/read-refunds.ts'
import type { Database } from '../../../platform/database/database.ts'
import { openPayments, paymentSettings } from '../../../platform/payments/open-payments.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError, printJson, required } from '../../command.ts'
import { asOperator, audited } from '../../operator.ts'

const maxListed = 100
const maxDays = 400

const listCommand: Command = {
  usage: 'payments list',
  summary: 'Lists the newest payments and the refunds that need an operator.',
  details:
    `Prints up to ${maxListed} payments as JSON, newest first, with the provider’s IDs (\`reference\`, ` +
    '`intent`). It also lists refunds of manual payments ' +
    '(`refunds_to_send`) and refunds that failed after the account was closed (`refunds_to_pay_otherwise`). See docs/runbooks/payments.md.',
  options: {
    account: { type: 'string', description: 'Only payments of this account: acct_…. Default: all accounts.' },
    open: { type: 'boolean', description: 'Only payments that have not arrived yet.' },
  },
  run: ({ flags, environment }) =>
    asOperator(environment, async (db) => {
      const accountId = flags['account'] === undefined ? undefined : String(flags['account'])
      const payments = await listAllPayments(db, { accountId, open: flags['open'] === true, limit: maxListed })
      const refunds_to_send = await listAskedRefunds(db, maxListed)
      printJson({ payments, refunds_to_send, refunds_to_pay_otherwise: await listUnpaidRefunds(db, maxListed) })
    }),
}

const confirmCommand: Command = {
  usage: 'payments confirm <payment_id>',
  summary: 'Confirms that a payment has arrived, credits it, and prints the new balance.',
  details: 'Only for the "manual" driver. The payment settles any debt first. A payment is credited only once.',
  options: { reason: { type: 'string', description: 'How the money arrived; recorded in the audit log. Required.' } },
  run: ({ values, flags, environment }) =>
    asOperator(environment, async (db, at) => {
      const reason = required(flags, 'reason')
      const { id: paymentId, account_id: accountId, amount_micros } = await findPayment(db, values['payment_id'])
      const details = { reason, payment_id: paymentId, amount_micros }
      const booked = await byHand(() =>
        audited(db, { action: 'payments.confirm', accountId, at, details }, (tx) =>
          confirmPayment(tx, { paymentId, at }),
        ),
      )
      const { prepaidMicros, owedMicros } = await readBalance(db, accountId)
      printJson({ payment_id: paymentId, booked, balance_micros: prepaidMicros, owed_micros: owedMicros })
    }),
}

const refundedCommand: Command = {
  usage: 'payments refunded <refund_id>',
  summary: 'Records that the operator has sent a refund.',
  details: 'Only for the "manual" driver. `payments list` shows the open refunds.',
  options: {
    failed: { type: 'boolean', description: 'The refund could not be sent; the money returns to the balance.' },
  },
  run: ({ values, flags, environment }) =>
    asOperator(environment, async (db, at) => {
      const refund = await readAnyRefund(db, values['refund_id'] ?? '')
      if (!refund) throw new CommandError(`There is no refund ${values['refund_id']}.`)
      const { id: refundId, payment_id: paymentId, account_id: accountId, amount_micros } = refund
      const outcome = flags['failed'] === true ? 'failed' : 'succeeded'
      const details = { refund_id: refundId, payment_id: paymentId, amount_micros, outcome }
      const booked = await byHand(() =>
        audited(db, { action: 'payments.refunded', accountId, at, details }, (tx) =>
          endRefund(tx, { paymentId, refundId, outcome, at }),
        ),
      )
      printJson({ refund_id: refundId, outcome, booked })
    }),
}

const reconcileCommand: Command = {
  usage: 'payments reconcile',
  summary: 'Compares the provider’s payment records with the ledger, and exits with code 1 on any difference.',
  details:
    'Prints each difference as a line of JSON, and a summary at the end. If a payment is missing from the ledger, a job ' +
    'settles it (see `settles` in each line); run the command again to check. A worker runs the same comparison ' +
    `once a day for the last ${usualDays} days. See docs/runbooks/payments.md.`,
  options: {
    days: { type: 'string', description: `How many days back, by the provider’s clock. Default: ${usualDays}.` },
  },
  run: async ({ flags, environment }) => {
    const days = readDays(flags['days'])
    const payments = await openPayments(readSettings(environment, paymentSettings))
    if (payments.driver === 'manual')
      throw new CommandError('No payment provider is configured, so there is nothing to compare.')
    await asOperator(environment, async (db, at) => {
      const range = lastDays(days, at)
      let count = 0
      for await (const difference of findDifferences({ db, payments, range })) {
        count++
        printJson({ ...difference, settles: await askToSettle(db, difference) })
      }
      printJson({ ...range, differences: count })
      if (count > 0) throw new CommandError('The provider and the ledger do not match. See docs/runbooks/payments.md.')
    })
  },
}

function readDays(given: string | boolean | undefined): number {
  const days = given === undefined ? usualDays : Number(given)
  if (Number.isInteger(days) && days >= 1 && days <= maxDays) return days
  throw new CommandError(`--days must be a whole number from 1 to ${maxDays}.`)
}

async function findPayment(db: Database, id: string | undefined) {
  const columns = ['id', 'account_id', 'amount_micros'] as const
  const found = await db
    .selectFrom('payments')
    .select(columns)
    .where('id', '=', id ?? '')
    .executeTakeFirst()
  if (!found) throw new CommandError(`There is no payment ${id}.`)
  return found
}

async function byHand<Result>(act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw error instanceof ManualConfirmationRefused ? new CommandError(error.message) : error
  }
}

export const commands: readonly Command[] = [listCommand, confirmCommand, refundedCommand, reconcileCommand]
