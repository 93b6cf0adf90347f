import {
  ApprovalRequiredError,
  BroadsideConnectionError,
  BroadsideError,
  BroadsideProblem,
  ConfigurationError,
  type FieldProblem,
  type ProblemDocument,
} from '../index.ts'
import { AdvisedError, CliError } from './cli-error.ts'
import type { ExitName } from './command-table.ts'
import { commandLine } from './generated.ts'
import type { Output } from './terminal/output.ts'
import { oneLine, pad } from './terminal/text.ts'

export type Described = { exit: ExitName; document: object; lines: string[] }

/** The exit code, the JSON document and the lines of an error; undefined for a fault of this program. */
export function describeError(error: unknown, style: Output['style']): Described | undefined {
  const red = (text: string) => style('red', text)
  if (error instanceof AdvisedError) return describeAdvised(error, style)
  if (error instanceof BroadsideProblem) return describeProblem(error, red)
  if (error instanceof ApprovalRequiredError) return describeApproval(error, red)
  if (error instanceof CliError) {
    const { exit, code, message, advice, members } = error
    const document = { code, detail: message, ...(advice && { advice }), ...members }
    const heading = exit === 'interrupted' ? message : red(`Error: ${oneLine(message)}`)
    return { exit, document, lines: [heading, ...(advice ? advice.split('\n').map(oneLine) : [])] }
  }
  if (!(error instanceof BroadsideError)) return undefined
  const [exit, code] = classOf(error)
  const advice = 'Run `broadside doctor` to find out why.'
  const detail = inWords(oneLine(error.message))
  return { exit, document: { code, detail, advice }, lines: [red(`Error: ${detail}`), advice] }
}

/** The exit and the code of an error without a problem document. */
function classOf(error: BroadsideError): [ExitName, string] {
  if (error instanceof BroadsideConnectionError) return ['unavailable', 'connection_failed']
  if (error instanceof ConfigurationError) return [error.message.includes('apiKey') ? 'key' : 'usage', 'usage']
  return [exitOf({ status: error.status ?? 0 }), 'failed']
}

/** Names options of the client as the command line does. */
const inWords = (message: string): string =>
  message
    .replaceAll('pass baseUrl', 'pass --url')
    .replaceAll('baseUrl', 'the address')
    .replaceAll('apiKey', 'The API key')
    .replaceAll('idempotencyKey', '--idempotency-key')
    .replace(/^the /, 'The ')

function describeAdvised({ cause, advice, members }: AdvisedError, style: Output['style']): Described | undefined {
  const described = describeError(cause, style)
  if (!described) return undefined
  const { exit, document, lines } = described
  const other = 'advice' in document ? document.advice : undefined
  return {
    exit,
    document: { ...document, advice, ...members },
    lines: [...lines.filter((line) => line !== other), advice],
  }
}

function describeProblem(problem: BroadsideProblem, red: (text: string) => string): Described {
  const { document, code, detail, errors, accountUrl, requestId, retryAfterSeconds, type } = problem
  const advice = (commandLine.advice as Record<string, string>)[code]
  const { reason } = document
  const lines = [
    red(`Error: ${oneLine(document.title ?? 'The service refused the request')} (${code})`),
    ...(detail ? [oneLine(detail)] : []),
    ...(reason && reason !== detail ? [oneLine(reason)] : []),
    ...fieldLines(errors),
    ...(advice ? [`What to do: ${advice}`] : []),
    ...(retryAfterSeconds === undefined ? [] : [`Try again in ${retryAfterSeconds} s.`]),
    ...(accountUrl ? [`For the owner: ${oneLine(accountUrl)}`] : []),
    ...(type ? [`About this problem: ${oneLine(type)}`] : []),
    ...(requestId ? [`Request: ${oneLine(requestId)}`] : []),
  ]
  return { exit: exitOf(problem), document, lines }
}

/** The class of a problem. A proxy can refuse a request without a document. */
export function exitOf({ status, document }: { status: number; document?: Partial<ProblemDocument> }): ExitName {
  if (document?.for_human) return 'owner'
  if (status === 401 || status === 403) return 'key'
  if (status === 404 || status === 410) return 'not_found'
  if (status === 429) return 'limit'
  if (status >= 500) return 'unavailable'
  return status >= 400 ? 'refused' : 'failed'
}

/** One line per field, and beneath it what would be valid. */
function fieldLines(errors: readonly FieldProblem[]): string[] {
  const name = ({ pointer }: FieldProblem) => oneLine(String(pointer ?? '').replace(/^#?\/?/, '')) || '(body)'
  const width = Math.max(0, ...errors.map((error) => name(error).length))
  return errors.flatMap((error) => {
    const indent = ' '.repeat(width + 4)
    const shown = (value: unknown) => oneLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
    return [
      `  ${pad(name(error), width)}  ${shown(error.detail ?? 'is not valid')}`,
      ...(error.closest === undefined ? [] : [`${indent}Did you mean ${shown(error.closest)}?`]),
      ...(Array.isArray(error.allowed) ? [`${indent}Allowed: ${error.allowed.map(shown).join(', ')}`] : []),
      ...(error.expected === undefined ? [] : [`${indent}Expected: ${shown(error.expected)}`]),
      ...(error.docs ? [`${indent}See ${shown(error.docs)}`] : []),
    ]
  })
}

function describeApproval({ draft, accountUrl }: ApprovalRequiredError, red: (text: string) => string): Described {
  const document = { draft, ...(accountUrl && { account_url: accountUrl }), for_human: true }
  const lines = [
    red(`The owner must approve this post: ${draft.id}`),
    'It is a draft and costs nothing until then.',
    ...(accountUrl ? [`For the owner: ${oneLine(accountUrl)}`] : []),
  ]
  return { exit: 'owner', document, lines }
}
