import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import type { Payments } from '../platform/payments/provider.ts'

/** What every act with a card or a payment works with. */
export type PaymentParts = { db: Database; clock: Clock; payments: Payments; accountPageUrl: string }

/** What the worker's part of it needs. */
export type PaymentWork = Pick<PaymentParts, 'db' | 'clock' | 'payments'> & { logger: Logger }
