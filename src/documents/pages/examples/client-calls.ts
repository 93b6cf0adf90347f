import { answersNothing, type Operation } from '../../../contract/define-operation.ts'
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

type Argument = 'kind' | 'id' | 'body' | 'query' | 'options'

/** A method that the clients have besides those of the operations, for a whole task. */
type Task = { takes: readonly Argument[]; isLoop?: true; result: string; prints: readonly string[] }

const idAndStatus = { result: 'post', prints: ['id', 'status'] } as const
const outcome = { result: 'post', prints: ['status', 'url'] } as const
const publicPosts = { result: 'post', prints: ['url', 'content'] } as const

const tasks = {
  publish: { takes: ['kind', 'body'], ...idAndStatus },
  check: { takes: ['kind', 'body'], result: 'checked', prints: ['charge.total_micros'] },
  waitForDecision: { takes: ['id'], ...outcome },
  status: { takes: ['id'], ...outcome },
  read: { takes: ['id'], ...publicPosts },
  edit: { takes: ['kind', 'id', 'body'], ...idAndStatus },
  delete: { takes: ['id'], ...idAndStatus },
  posts: { takes: ['kind', 'query'], isLoop: true, ...publicPosts },
  myPosts: { takes: ['query'], isLoop: true, ...idAndStatus },
  events: { takes: ['query'], isLoop: true, result: 'event', prints: ['id', 'type'] },
  search: { takes: ['query'], isLoop: true, ...publicPosts },
  drafts: { takes: ['query'], isLoop: true, result: 'draft', prints: ['id', 'state'] },
  deliveries: { takes: ['id', 'query'], isLoop: true, result: 'delivery', prints: ['event_id', 'status'] },
  stream: { takes: ['options'], isLoop: true, result: 'event', prints: ['type', 'data'] },
} as const satisfies Record<string, Task>

export type TaskName = keyof typeof tasks

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

/** The name of the client's method for an operation, if it is a task. */
export const taskNameOf = (call: ExampleCall): TaskName | undefined => call.task ?? taskOf[call.operation.id]?.(call)

export function clientCall(call: ExampleCall): ClientCall {
  const name = taskNameOf(call)
  const task: Task | undefined = name && tasks[name]
  const takes = task?.takes ?? argumentsOf(call.operation)
  const { kind, body, query, params, idempotencyKey } = call
  const values = { kind, body, query, id: params['id'] }
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
