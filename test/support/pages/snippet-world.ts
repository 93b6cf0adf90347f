import type { Operation } from '../../../src/contract/define-operation.ts'
import type { Kind } from '../../../src/kinds/index.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { examplePostId } from '../../../src/posts/status/status-record.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedKey } from '../accounts/create-key.ts'
import { seedDraft } from '../drafts/seed-draft.ts'
import { seedPost } from '../posts/create-post.ts'
import { seedWebhook, statusFor } from '../posts/operation-subject.ts'
import type { Snippet, SnippetLanguage, SnippetSet } from './run-snippets.ts'

/** The operation that the command calls. */
export function operationIn(operations: readonly Operation[], { sh, page }: SnippetSet): Operation {
  const [, given, address = ''] = /curl -sN? (?:-X (\w+) )?['"]?(?:https?:\/\/[^/]+)(\/[^\s'"?]+)/.exec(sh) ?? []
  const method = given ?? (/^ {2}(-d|--data-binary) /m.test(sh) ? 'POST' : 'GET')
  const path = address.replace(/\$\w+/, '{id}')
  const found = operations.find(
    (operation) => operation.method === method && operation.path.replace(/\{\w+\}/, '{id}') === path,
  )
  if (!found) throw new Error(`${page}: ${method} ${path} is no operation`)
  return found
}

type Subject = { service: Service; kind: Kind; operation: Operation; accountId: string }

/** What a reader has in these variables when the snippet runs. Each snippet gets its own, because some destroy it. */
const makers: Readonly<Record<string, (subject: Subject) => Promise<string> | string>> = {
  POST_ID: ({ service, kind, operation, accountId }) =>
    seedPost(service, kind, { accountId, status: statusFor(operation) }),
  DRAFT_ID: ({ service, accountId }) => seedDraft(service, { accountId }),
  WEBHOOK_ID: ({ service, accountId }) => seedWebhook(service, accountId),
  KEY_ID: async ({ service, accountId }) => (await seedKey(service, { accountId, slot: 2 })).id,
  OWNER_SESSION: async ({ service, accountId }) => (await openOwner(service, accountId)).token,
  LAST_EVENT_ID: ({ service }) => newId('evt', service.clock.now()),
}

/** The snippet with an account of its own, a balance, and the objects that it names. */
export async function readySnippet(
  service: Service,
  kind: Kind,
  { set, operation, language }: { set: SnippetSet; operation: Operation; language: SnippetLanguage },
): Promise<Snippet> {
  const { id: accountId, api_key } = await service.createCustomer()
  await service.asOwner('update accounts set email_verified_at = created_at where id = $1', [accountId])
  const program = set[language]
  const variables: Record<string, string> = { BROADSIDE_URL: String(service.baseUrls[kind.name]) }
  // A reader who needs no key has none.
  if (set.sh.includes('BROADSIDE_API_KEY')) variables['BROADSIDE_API_KEY'] = api_key
  for (const [name, make] of Object.entries(makers))
    if (program.includes(name)) variables[name] = await make({ service, kind, operation, accountId })
  if (!program.includes(examplePostId)) return { program, variables }
  // Examples with an id in the body are about the post of somebody else.
  const author = await service.createCustomer()
  await service.asOwner('update accounts set email_verified_at = created_at where id = $1', [author.id])
  const postId = await seedPost(service, kind, { accountId: author.id, status: 'published' })
  return { program: program.replaceAll(examplePostId, postId), variables }
}
