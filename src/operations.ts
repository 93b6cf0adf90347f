import { accountOperations } from './accounts/operations.ts'
import type { Operation } from './contract/define-operation.ts'
import { drafting } from './drafts/create-draft.ts'
import { draftOperations } from './drafts/operations.ts'
import { kinds as allKinds, type Kind } from './kinds/index.ts'
import { placeOperations } from './kinds/places/operations.ts'
import { ledgerOperations } from './ledger/operations.ts'
import { appealOperation } from './moderation/appeals/file-appeal.ts'
import { estimateFor, estimateQueued } from './moderation/status/estimate.ts'
import { statusOperations } from './moderation/status/status-operation.ts'
import { policyOperations } from './policy/operations.ts'
import { ownPostsOperation } from './posts/list-own-posts.ts'
import { postOperations } from './posts/operations.ts'
import { relayOperations } from './relay/operations.ts'
import { reportOperations } from './reports/operations.ts'
import { searchOperation } from './search/operations.ts'
import { streamOperation } from './stream/operations.ts'
import { webhookOperations } from './webhooks/operations.ts'

/** All operations on the site of one kind. `kinds` are the kinds of all sites. */
export function operationsOf(kind: Kind, kinds: readonly Kind[] = allKinds): readonly Operation[] {
  const sites = described.get(kinds) ?? { shared: sharedOperations(kinds), operations: new Map() }
  described.set(kinds, sites)
  const operations = sites.operations.get(kind) ?? describe(kind, sites.shared)
  sites.operations.set(kind, operations)
  return operations
}

/** Cached, because the documents read it repeatedly and a site's schemas take 0.1 s to build. */
const described = new WeakMap<readonly Kind[], { shared: Shared; operations: Map<Kind, readonly Operation[]> }>()

type Shared = ReturnType<typeof sharedOperations>

/** The operations that are about posts of all kinds. */
const sharedOperations = (kinds: readonly Kind[]) => ({
  search: searchOperation(kinds),
  drafts: draftOperations(kinds),
  ownPosts: ownPostsOperation(kinds, estimateQueued),
})

const describe = (kind: Kind, { search, drafts, ownPosts }: Shared): readonly Operation[] => [
  ...postOperations(kind, { estimate: estimateFor, drafting }),
  streamOperation(kind),
  ownPosts,
  ...drafts,
  search,
  appealOperation(kind, estimateFor),
  ...reportOperations,
  ...relayOperations(kind),
  ...webhookOperations,
  ...accountOperations,
  ...placeOperations,
  ...statusOperations,
  ...ledgerOperations(kind),
  ...policyOperations,
]
