import { accountOperations } from './accounts/operations.ts'
import type { Operation } from './contract/define-operation.ts'
import type { Kind } from './kinds/index.ts'
import { ledgerOperations } from './ledger/operations.ts'
import { statusOperations } from './moderation/report-status.ts'
import { policyOperations } from './policy/operations.ts'

/** Every feature's operations for the site of one kind. */
export const operationsOf = (kind: Kind): readonly Operation[] => [
  ...accountOperations,
  ...statusOperations,
  ...ledgerOperations(kind),
  ...policyOperations,
]
