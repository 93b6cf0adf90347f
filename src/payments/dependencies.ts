import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import type { PaymentService } from '../platform/payments/provider.ts'

/** The dependencies of every card or payment operation. */
export type PaymentDependencies = { db: Database; clock: Clock; payments: PaymentService; accountPageUrl: string }

/** The dependencies of a payment job in the worker. */
export type PaymentJobDependencies = Pick<PaymentDependencies, 'db' | 'clock' | 'payments'> & { logger: Logger }
