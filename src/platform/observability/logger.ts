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
  }
  return destination ? pino(options, destination) : pino(options)
}

/**
 * The parts of an error that an operator needs. Omits PostgreSQL's `detail` and `where`, and messages about unreadable
 * values or statements: they quote rows or input.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const { name, stack } = error
  const code = 'code' in error ? String(error.code) : undefined
  const constraint = 'constraint' in error ? error.constraint : undefined
  const cause = error.cause && describeError(error.cause)
  if ('severity' in error && /^(?:22|42)/.test(code ?? ''))
    return { name, message: 'rejected by the database', code, constraint, stack: framesOf(stack), cause }
  return { name, message: error.message, code, constraint, stack, cause }
}

const framesOf = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n')
