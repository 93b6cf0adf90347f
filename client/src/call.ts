export type CallOptions = {
  /** Identifies one logical post: send the same key to repeat it. Generated for you when the operation takes one. */
  idempotencyKey?: string
  signal?: AbortSignal
}

export type Answer<Body> = { status: number; body: Body; headers: Headers; requestId: string | null }
