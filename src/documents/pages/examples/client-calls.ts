import { answersNothing, type Operation } from '../../../contract/define-operation.ts'
import { type Argument, type Task, type TaskName, tasks } from './client-tasks.ts'
import type { ExampleCall } from './example-call.ts'

/** How the clients make a call, in the names of the TypeScript client. */
export type ClientCall = {
  method: string
  /** The values before the options, in order. */
  given: readonly unknown[]
  options: Readonly<Record<string, unknown>>
  /** What a program calls the result, or an item of it in a loop. The result is nothing if it has no name. */
  result: string | undefined
  /** The fields of the result to print, such as `charge.total_micros`. None prints all of it. */
  prints: readonly string[]
  isLoop: boolean
}

/** The task that fits an operation. The others are called by the method with their own name. */
const taskOf: Readonly<Record<string, (call: ExampleCall) => TaskName>> = {
  submitPost: ({ query }) => ('dry_run' in query ? 'check' : 'publish'),
  // With the key of its author, the response is the status record.
  getPost: ({ credential }) => (credential ? 'status' : 'read'),
  editPost: () => 'edit',
  deletePost: () => 'delete',
  browsePosts: () => 'posts',
  listMyPosts: () => 'myPosts',
  listEvents: () => 'events',
  searchPosts: () => 'search',
  listDrafts: () => 'drafts',
  listDeliveries: () => 'deliveries',
  streamPosts: () => 'stream',
}

/** What programs print of the other operations, where the whole response would hide what matters. */
const resultOf: Readonly<Record<string, Pick<Task, 'result' | 'prints'>>> = {
  createAccount: { result: 'account', prints: ['api_key', 'account_url'] },
  getAccount: { result: 'account', prints: ['balance_micros', 'account_url'] },
  createWebhook: { result: 'webhook', prints: ['id', 'secret'] },
  rotateWebhookSecret: { result: 'webhook', prints: ['secret'] },
  createKey: { result: 'key', prints: ['id', 'api_key'] },
  findPlaces: { result: 'places', prints: ['data'] },
}

export function clientCall(call: ExampleCall): ClientCall {
  const name = call.task ?? taskOf[call.operation.id]?.(call)
  const task: Task | undefined = name && tasks[name]
  const takes = task?.takes ?? argumentsOf(call.operation)
  const { kind, body, query, params, idempotencyKey } = call
  const values = { kind, body, query, id: Object.values(params)[0] }
  return {
    method: name ?? call.operation.id,
    given: withoutEmptyEnd(takes.flatMap((argument) => (argument === 'options' ? [] : [values[argument]]))),
    options: {
      // Your own events have no kind.
      ...(takes.includes('options') && { ...(!('scope' in query) && { kind }), ...query }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    },
    ...(task ?? (answersNothing(call.operation) ? nothing : (resultOf[call.operation.id] ?? everything))),
    isLoop: task?.isLoop ?? false,
  }
}

const everything = { result: 'answer', prints: [] }
const nothing = { result: undefined, prints: [] }

const argumentsOf = ({ params, body, query }: Operation): Argument[] => [
  ...(params ? (['id'] as const) : []),
  ...(body ? (['body'] as const) : []),
  ...(query ? (['query'] as const) : []),
]

/** A query without members can be left out if nothing follows it. */
const withoutEmptyEnd = (given: readonly unknown[]): unknown[] =>
  given.slice(0, given.findLastIndex((value) => Object.keys(Object(value)).length > 0) + 1)
