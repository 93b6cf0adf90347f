/** What a method of the clients takes. */
export type Argument = 'kind' | 'id' | 'body' | 'query' | 'options'

/** A method that the clients have besides those of the operations, for a whole task. */
export type Task = { takes: readonly Argument[]; isLoop?: true; result: string; prints: readonly string[] }

const idAndStatus = { result: 'post', prints: ['id', 'status'] } as const
const outcome = { result: 'post', prints: ['status', 'url'] } as const
const publicPosts = { result: 'post', prints: ['url', 'content'] } as const

/** By their names in the TypeScript client. */
export const tasks = {
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
