import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import type { Operation } from '../../contract/define-operation.ts'
import { fieldErrorsOf } from '../../contract/problems/validation-errors.ts'
import { findPostKind } from '../../posts/public/find-post-kind.ts'
import { postNotFound } from '../../posts/public/public-post.ts'
import { postId } from '../../posts/status/status-record.ts'
import type { CallableTool, SiteChoice } from './describe-tool.ts'
import { invalidArguments } from './read-arguments.ts'

type Arguments = Readonly<Record<string, unknown>>

/** A call at the site that it is for: the site's operation, and its arguments there. */
type CallAtSite = { call: Call; operation: Operation; given: Arguments }

/** Finds the site of a call. On a site itself there is no choice. */
export async function chooseSite(
  { choice, operation }: CallableTool,
  call: Call,
  given: Arguments,
): Promise<CallAtSite> {
  if (!choice) return { call, operation, given }
  if (choice.by === 'kind') {
    const { kind, ...others } = given
    return { ...at(choice, kindGiven(choice, operation, kind), call), given: others }
  }
  return { ...at(choice, await kindOfPost(choice, call, given[choice.by]), call), given }
}

function at({ operations }: SiteChoice, kind: string, call: Call) {
  const [operation, baseUrl] = [operations.get(kind), call.baseUrls[kind]]
  assert(operation && baseUrl !== undefined, 'every kind of a choice has its operation and its site')
  return { operation, call: { ...call, site: kind, baseUrl } }
}

function kindGiven({ operations }: SiteChoice, operation: Operation, kind: unknown): string {
  const schema = z.object({ kind: z.enum([...operations.keys()]) })
  const read = schema.safeParse({ kind })
  if (!read.success) throw invalidArguments(operation, fieldErrorsOf(read.error, { schema, input: { kind } }))
  return read.data.kind
}

/** Where nothing can be found, the operation of the first site says so, as it does on that site. */
async function kindOfPost({ operations }: SiteChoice, call: Call, id: unknown): Promise<string> {
  const [first = ''] = operations.keys()
  const read = postId.safeParse(id)
  if (!read.success) return first
  const kind = await findPostKind(call, read.data)
  // Without a post there is no kind whose rules the other arguments could break.
  if (kind === undefined) throw postNotFound()
  return operations.has(kind) ? kind : first
}
