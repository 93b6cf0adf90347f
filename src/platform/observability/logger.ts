import { type DestinationStream, type Logger, pino } from 'pino'
import { traceFields } from './tracing.ts'

export type { Logger }

const secretMembers = ['authorization', 'cookie', 'api_key', 'secret', 'token', 'email']

/**
 * Log lines contain identifiers, never user text or secrets: no URL (it may contain a search or an owner's token), no
 * body, and no header except those named where they are logged. Redaction is only a second safeguard.
 */
export function createLogger(
  level: string,
  process: string,
  destination?: DestinationStream,
  identity: { instance?: string; version?: string } = {},
): Logger {
  const options = {
    level,
    base: { process, ...identity },
    mixin: traceFields,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: secretMembers.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { error: describeError },
    hooks: { logMethod: onceAMinute() },
  }
  return destination ? pino(options, destination) : pino(options)
}

const quietMs = 60_000
const maxCauses = 1_000

type Write = (...args: unknown[]) => void

/**
 * Loops try again many times a second. A warning or error with the same message and error is written once a minute,
 * with the number of those left out. The error of a request is always written, so that a caller's request id is found.
 */
function onceAMinute() {
  const causes = new Map<string, { writtenAt: number; omitted: number }>()
  return function (this: Logger, args: unknown[], write: Write, level: number) {
    const [fields, message] = args as [{ error?: unknown; job?: string; request_id?: string }, string?]
    const { error, job = '', request_id } = Object(fields) as typeof fields
    if (level < 40 || !(error instanceof Error) || request_id !== undefined) return write.apply(this, args)
    const code = 'code' in error ? String(error.code) : error.message
    const cause = [message, job, error.name, code].join(' ')
    const last = causes.get(cause)
    const now = Date.now()
    if (last && now - last.writtenAt < quietMs) {
      last.omitted += 1
      return
    }
    if (causes.size >= maxCauses) causes.clear()
    causes.set(cause, { writtenAt: now, omitted: 0 })
    write.apply(this, last?.omitted ? [{ ...fields, omitted: last.omitted }, message] : args)
  }
}

/**
 * The parts of an error that an operator needs. Omits PostgreSQL's `detail` and `where`, and messages about unreadable
 * values or statements: they quote rows or input.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const code = 'code' in error ? String(error.code) : undefined
  const { name } = error
  const stack = isOutside.test(`${code} ${error.message}`) ? undefined : error.stack
  const constraint = 'constraint' in error ? error.constraint : undefined
  const cause = error.cause && describeError(error.cause)
  if ('severity' in error && /^(?:22|42)/.test(code ?? ''))
    return { name, message: 'rejected by the database', code, constraint, stack: framesOf(stack), cause }
  return { name, message: error.message, code, constraint, stack, cause }
}

/** Errors of the operating system and lost connections: the message says everything. */
const isOutside =
  /^(?:08\w{3}|53\w{3}|57P\w\d|28P01|E(?!RR_)[A-Z_]{3,}) |Connection terminated|timeout exceeded when trying to connect/

const framesOf = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n')
