import { deleteExpiredAllowances } from './accounts/allowances.ts'
import { deleteExpiredMailboxCodes } from './accounts/mailbox-sign-in/mailbox-codes.ts'
import { ownerSignInPurges } from './accounts/sign-in/sessions.ts'
import { deleteExpiredAnswers } from './calls/idempotency.ts'
import { deleteUnreviewedCases } from './cases/queue.ts'
import type { PurgedName } from './contract/retention/periods.ts'
import { draftPurges } from './drafts/sweep-drafts.ts'
import { deleteExpiredSpending } from './ledger/spending-limits.ts'
import { oauthPurges } from './oauth/sessions.ts'
import { deleteExpiredProviderEvents } from './payments/provider-events.ts'
import { type Database, isDatabaseUnavailable } from './platform/database/database.ts'
import { openCounter } from './platform/observability/instruments.ts'
import type { Logger } from './platform/observability/logger.ts'
import type { Purge } from './platform/repeat.ts'
import { deleteExpiredSignatures } from './posts/duplicates/stored-signatures.ts'
import { eraseRejectedEdits } from './posts/expiry.ts'
import { deleteExpiredReaderMessages } from './relay/carry-reader-message.ts'
import { relayPurges } from './relay/relay-message.ts'
import { eraseReportTexts } from './reports/settle-reports.ts'
import { staffPurges } from './staff/sessions.ts'
import { deleteExpiredStreamEntries } from './stream/stream-log.ts'
import { deleteLoggedQueue } from './transparency-log/append-entries.ts'
import { webhookPurges } from './webhooks/deliveries.ts'

/**
 * How each feature deletes what has expired, in this order. A period of `purge-expired` without an entry does not
 * compile.
 */
export const purges: Readonly<Record<PurgedName, Purge>> = {
  ...ownerSignInPurges,
  'mailbox-codes': deleteExpiredMailboxCodes,
  ...oauthPurges,
  'allowance-uses': deleteExpiredAllowances,
  'key-spending': deleteExpiredSpending,
  ...webhookPurges,
  'idempotent-answers': deleteExpiredAnswers,
  'rejected-edits': eraseRejectedEdits,
  ...draftPurges,
  'stream-entries': deleteExpiredStreamEntries,
  'log-queue': deleteLoggedQueue,
  ...relayPurges,
  'reader-messages': deleteExpiredReaderMessages,
  signatures: deleteExpiredSignatures,
  ...staffPurges,
  'unreviewed-cases': deleteUnreviewedCases,
  'report-texts': eraseReportTexts,
  'provider-events': deleteExpiredProviderEvents,
}

type Purging = { db: Database; logger: Logger; steps?: Readonly<Record<string, Purge>> }

/**
 * Returns the function that deletes everything that has expired. If one step fails, the others still run, and the job
 * fails at the end, so that it is tried again.
 */
export function makePurger({ db, logger, steps = purges }: Purging) {
  const purged = openCounter('retention.purged')
  return async (at: Date, signal?: AbortSignal): Promise<void> => {
    const failed: string[] = []
    for (const [name, purge] of Object.entries(steps)) {
      signal?.throwIfAborted()
      try {
        const rows = await purge(db, at)
        purged.add(rows, { name })
        if (rows > 0) logger.info({ purged: name, rows }, 'expired rows purged')
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        logger.warn({ purged: name, error }, 'expired rows could not be purged')
        failed.push(name)
      }
    }
    if (failed.length > 0) throw new Error(`could not purge ${failed.join(', ')}`)
  }
}
