import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { openHistogramLater } from '../../observability/instruments.ts'
import { errorTypeOf, recordingSpan } from '../../observability/tracing.ts'

const recordDuration = openHistogramLater('db.client.operation.duration')

type Callback = (error: Error | null, result: unknown) => void

/**
 * Measures a statement, and traces it if the current request or job is traced. Spans contain no SQL: a statement without
 * parameters could contain values.
 */
export function observedQuery(query: unknown, callback: unknown, run: (callback: unknown) => unknown): unknown {
  const operation = operationOf(query)
  // A cursor has no single duration.
  if (!operation) return run(callback)
  const startedAt = performance.now()
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation }
  const span =
    recordingSpan() && trace.getTracer('broadside').startSpan(operation, { kind: SpanKind.CLIENT, attributes })
  const end = (error?: unknown) => {
    const failure = error ? { 'error.type': errorTypeOf(error) } : {}
    recordDuration((performance.now() - startedAt) / 1_000, { ...attributes, ...failure })
    if (error) span?.setAttributes(failure).setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }
  if (typeof callback === 'function')
    return run(((error, result) => {
      end(error)
      callback(error, result)
    }) satisfies Callback)
  const result = run(callback)
  if (result instanceof Promise) result.then(() => end(), end)
  return result
}

const words = new Map<string, string>()

/** Enough for all statements of the program; those that are built dynamically are few. */
const maxWords = 2_000

function operationOf(query: unknown): string | undefined {
  const text = typeof query === 'string' ? query : (query as { text?: unknown })?.text
  return typeof text === 'string' ? firstWord(text) : undefined
}

/** The first word of a statement, in capitals. */
function firstWord(text: string): string {
  const known = words.get(text)
  if (known) return known
  const word = /^\s*(\w{1,20})/.exec(text)?.[1]?.toUpperCase() ?? 'OTHER'
  if (words.size < maxWords) words.set(text, word)
  return word
}
