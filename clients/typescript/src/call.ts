import type { Operations } from './generated/types.ts'

export type CallOptions = {
  /**
   * Identifies one logical request: to repeat it, send the same key. The client generates a key if the operation
   * accepts one and you pass none.
   */
  idempotencyKey?: string
  signal?: AbortSignal
}

export type Answer<Body> = { status: number; body: Body; headers: Headers; requestId: string | null }

/** The same operations with the status, the headers and the request id of their response. */
export type WithResponse = {
  [Name in keyof Operations]: (
    ...args: Parameters<Operations[Name]>
  ) => Promise<Answer<Awaited<ReturnType<Operations[Name]>>>>
}
