import { type DestinationStream, type Logger, pino } from 'pino'

export type { Logger }

const secretMembers = ['authorization', 'cookie', 'api_key', 'secret', 'token', 'email']

/**
 * Log lines carry identifiers, never what a user wrote and never a secret: no URL (a search is in it, or an owner's
 * token), no body, no header but the ones named where they are logged. Redaction is the second net, not the first.
 */
export function createLogger(level: string, process: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { process },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    redact: { paths: secretMembers.flatMap((name) => [name, `*.${name}`]), censor: '[redacted]' },
    serializers: { error: describeError },
  }
  return destination ? pino(options, destination) : pino(options)
}

/**
 * What an operator needs of an error. PostgreSQL's `detail` and `where` quote rows, so they stay out, and so does what it
 * says of a value or a statement that it cannot read: it quotes them.
 */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: 'not an Error' }
  const { name, stack } = error
  const code = 'code' in error ? String(error.code) : undefined
  const constraint = 'constraint' in error ? error.constraint : undefined
  const cause = error.cause && describeError(error.cause)
  if ('severity' in error && /^(?:22|42)/.test(code ?? ''))
    return { name, message: 'refused by the database', code, constraint, stack: framesOf(stack), cause }
  return { name, message: error.message, code, constraint, stack, cause }
}

const framesOf = (stack = '') =>
  stack
    .split('\n')
    .filter((line) => /^ {4}at /.test(line))
    .join('\n')
