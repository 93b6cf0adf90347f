import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { PaymentService } from '../platform/payments/provider.ts'

/** What every act with a card or a payment works with. */
export type PaymentDependencies = { db: Database; clock: Clock; payments: PaymentService; accountPageUrl: string }

/** What the worker's part of it needs. */
export type PaymentJobDependencies = Pick<PaymentDependencies, 'db' | 'clock' | 'payments'> & { logger: Logger }
