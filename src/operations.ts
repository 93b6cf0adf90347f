import { accountOperations } from './accounts/operations.ts'
import type { Operation } from './contract/define-operation.ts'
import { kinds as allKinds, type Kind } from './kinds/index.ts'
import { ledgerOperations } from './ledger/operations.ts'
import { appealOperation } from './moderation/appeals/file-appeal.ts'
import { estimateFor } from './moderation/status/estimate.ts'
import { statusOperations } from './moderation/status/status-operation.ts'
import { policyOperations } from './policy/operations.ts'
import { postOperations } from './posts/operations.ts'
import { relayOperations } from './relay/operations.ts'
import { reportOperations } from './reports/operations.ts'
import { searchOperation } from './search/operations.ts'
import { webhookOperations } from './webhooks/operations.ts'

/** Every feature's operations for the site of one kind, beside which there are sites of those kinds. */
export function operationsOf(kind: Kind, kinds: readonly Kind[] = allKinds): readonly Operation[] {
  const sites = described.get(kinds) ?? { search: searchOperation(kinds), operations: new Map() }
  described.set(kinds, sites)
  const operations = sites.operations.get(kind) ?? describe(kind, sites.search)
  sites.operations.set(kind, operations)
  return operations
}

/** Described once: the documents ask again and again, and the schemas of a site take a tenth of a second. */
const described = new WeakMap<readonly Kind[], { search: Operation; operations: Map<Kind, readonly Operation[]> }>()

const describe = (kind: Kind, search: Operation): readonly Operation[] => [
  ...postOperations(kind, estimateFor),
  search,
  appealOperation(kind, estimateFor),
  ...reportOperations,
  ...relayOperations(kind),
  ...webhookOperations,
  ...accountOperations,
  ...statusOperations,
  ...ledgerOperations(kind),
  ...policyOperations,
]
