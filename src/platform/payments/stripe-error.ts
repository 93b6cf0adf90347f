import { ProviderError } from './provider.ts'

/** Sends a request to Stripe and turns Stripe's errors into a `ProviderError`. Other errors are rethrown unchanged. */
export async function asking<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw faultOf(error)
  }
}

/** Stripe's messages quote the request, so only the codes are kept. */
export function faultOf(error: unknown): unknown {
  if (!isStripes(error)) return error
  const { type, statusCode = 0, code, rawType } = error
  const word = [code, rawType].find((text) => text !== undefined && /^[a-z_]{1,64}$/.test(text))
  if (['StripeAuthenticationError', 'StripePermissionError'].includes(type))
    return new ProviderError('not_signed_in', word)
  const mayPass = passing.includes(type) || [409, 429].includes(statusCode) || statusCode >= 500
  return new ProviderError(mayPass ? 'unreachable' : 'refused', word)
}

// A reused idempotency key means that an earlier request succeeded: the next run finds its result.
const passing = ['StripeConnectionError', 'StripeAPIError', 'StripeIdempotencyError']

/** Null for an object that does not exist at Stripe, or no longer exists. */
export async function unlessMissing<Result>(question: PromiseLike<Result>): Promise<Result | null> {
  return unlessRefusedFor(['resource_missing'], question)
}

/** Null for a payment that has already ended, in any state. */
export async function unlessOver<Result>(question: PromiseLike<Result>): Promise<Result | null> {
  return unlessRefusedFor(['payment_intent_unexpected_state'], question)
}

async function unlessRefusedFor<Result>(codes: readonly string[], question: PromiseLike<Result>) {
  try {
    return await question
  } catch (error) {
    if (isStripes(error) && codes.includes(error.code ?? '')) return null
    throw error
  }
}

type StripesError = Error & { type: string; statusCode?: number; code?: string; rawType?: string }

const isStripes = (error: unknown): error is StripesError =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe')
