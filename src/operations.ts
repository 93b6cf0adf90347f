import { accountOperations } from './accounts/operations.ts'
import type { Operation } from './contract/define-operation.ts'
import type { Kind } from './kinds/index.ts'
import { ledgerOperations } from './ledger/operations.ts'
import { appealOperation } from './moderation/appeal.ts'
import { estimateFor } from './moderation/estimate-for.ts'
import { statusOperations } from './moderation/report-status.ts'
import { policyOperations } from './policy/operations.ts'
import { postOperations } from './posts/operations.ts'
import { webhookOperations } from './webhooks/operations.ts'

/** Every feature's operations for the site of one kind. */
export const operationsOf = (kind: Kind): readonly Operation[] => [
  ...postOperations(kind, estimateFor),
  appealOperation(kind, estimateFor),
  ...webhookOperations,
  ...accountOperations,
  ...statusOperations,
  ...ledgerOperations(kind),
  ...policyOperations,
]
