/** An answer that is an error in Stripe's shape. */
export class Refusal extends Error {
  readonly status: number
  readonly error: { type: string; code?: string; message: string } & Record<string, unknown>

  constructor(status: number, error: Refusal['error']) {
    super(error.message)
    this.status = status
    this.error = error
  }
}

export const refused = (status: number, code: string | undefined, message: string, more: object = {}) =>
  new Refusal(status, { type: 'invalid_request_error', ...(code && { code }), message, ...more })
