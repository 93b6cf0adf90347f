export type CallOptions = {
  /**
   * Identifies one logical request: to repeat it, send the same key. The client generates a key if the operation
   * accepts one and you pass none.
   */
  idempotencyKey?: string
  signal?: AbortSignal
}

export type Answer<Body> = { status: number; body: Body; headers: Headers; requestId: string | null }
