/** An answer that is more than its body: another status than the usual one, or headers. */
export class Answer<Body = unknown> {
  readonly body: Body
  readonly status: number | undefined
  readonly headers: Record<string, string>

  constructor(body: Body, { status, headers = {} }: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body
    this.status = status
    this.headers = headers
  }
}
