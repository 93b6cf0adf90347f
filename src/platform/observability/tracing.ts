import {
  type Attributes,
  type Context,
  context,
  type Span,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { type IdGenerator, RandomIdGenerator } from '@opentelemetry/sdk-trace'
import { randomIdBytes } from '../identifiers.ts'

const tracer = () => trace.getTracer('broadside')

let chosenTraceId: string | undefined

/** Random ids, except that a trace can get an id that its caller knows already. */
export class ChosenIdGenerator implements IdGenerator {
  readonly #random = new RandomIdGenerator()
  readonly generateSpanId = () => this.#random.generateSpanId()
  readonly generateTraceId = () => chosenTraceId ?? this.#random.generateTraceId()
}

/** A valid W3C traceparent as the context of a span in another process. */
export function readTraceparent(header: unknown): SpanContext | undefined {
  const [, traceId, spanId, flags] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(String(header)) ?? []
  if (!traceId || !spanId || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags ?? '0', 16), isRemote: true }
}

/** The context of the active span for another process or a job; undefined outside of any span. */
export function currentTraceparent(): string | undefined {
  const active = trace.getActiveSpan()?.spanContext()
  if (!active) return undefined
  return `00-${active.traceId}-${active.spanId}-${active.traceFlags.toString(16).padStart(2, '0')}`
}

type SpanOptions = { kind?: SpanKind; attributes?: Attributes; links?: { context: SpanContext }[] }

/**
 * Starts the first span of a trace in this process, with the given trace id or as the child of a span elsewhere, and
 * returns it with its context. Without an exporter the span records nothing, but its trace id is still in the log.
 */
export function startTrace(
  name: string,
  from: { parent: SpanContext } | { traceId: string },
  options: SpanOptions = {},
): { span: Span; inside: Context } {
  const outside = context.active()
  if ('parent' in from) {
    const span = tracer().startSpan(name, options, trace.setSpanContext(outside, from.parent))
    return { span, inside: trace.setSpan(outside, span) }
  }
  chosenTraceId = from.traceId
  const started = tracer().startSpan(name, { ...options, root: true }, outside)
  chosenTraceId = undefined
  const span = isValid(started) ? started : trace.wrapSpanContext(plainContext(from.traceId))
  return { span, inside: trace.setSpan(outside, span) }
}

export const newTraceId = (): string => randomIdBytes(16).toString('hex')

const isValid = (span: Span) => trace.isSpanContextValid(span.spanContext())

const plainContext = (traceId: string): SpanContext => ({
  traceId,
  spanId: randomIdBytes(8).toString('hex'),
  traceFlags: TraceFlags.NONE,
})

/** The span that is recorded now; undefined if traces are off or this one is not sampled. */
export function recordingSpan(): Span | undefined {
  const active = trace.getActiveSpan()
  return active?.isRecording() ? active : undefined
}

/**
 * Runs `work` inside a span if the current trace is recorded. An error marks the span and is rethrown. Attributes are
 * identifiers, never user text.
 */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: () => Promise<Result>,
  kind = SpanKind.INTERNAL,
): Promise<Result> {
  if (!recordingSpan()) return work()
  return tracer().startActiveSpan(name, { attributes, kind }, (span) => endWith(span, work))
}

/** Runs `work` in a trace of its own, or in that of `traceparent`. */
export function inTrace<Result>(
  name: string,
  { traceparent, ...options }: SpanOptions & { traceparent?: unknown },
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = readTraceparent(traceparent)
  const { span, inside } = startTrace(name, parent ? { parent } : { traceId: newTraceId() }, options)
  return context.with(inside, () => endWith(span, work))
}

async function endWith<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.setAttribute('error.type', errorTypeOf(error))
    throw error
  } finally {
    span.end()
  }
}

/** A code or class of an error, which contains no user text. */
export function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? code : error.name
}

/** What each log line says about the current request or job. */
export function traceFields(): object {
  const active = trace.getActiveSpan()?.spanContext()
  return active ? { trace_id: active.traceId, span_id: active.spanId } : {}
}
