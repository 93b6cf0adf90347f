import {
  ApprovalRequiredError,
  BroadsideConnectionError,
  BroadsideError,
  BroadsideProblem,
  type FieldProblem,
  type ProblemDocument,
} from '../index.ts'
import { CliError } from './cli-error.ts'
import { type ExitName, exitRules } from './command-table.ts'
import { commandLine } from './generated.ts'
import type { Output } from './terminal/output.ts'
import { oneLine, pad } from './terminal/text.ts'

export type Described = { exit: ExitName; document: object; lines: string[] }

/** The exit code, the JSON document and the lines of an error; undefined for a fault of this program. */
export function describeError(error: unknown, style: Output['style']): Described | undefined {
  const red = (text: string) => style('red', text)
  if (error instanceof BroadsideProblem) return describeProblem(error, red)
  if (error instanceof ApprovalRequiredError) return describeApproval(error, red)
  if (error instanceof CliError) {
    const { exit, code, message, advice, members } = error
    const document = { code, detail: message, ...(advice && { advice }), ...members }
    const heading = exit === 'interrupted' ? message : red(`Error: ${oneLine(message)}`)
    return { exit, document, lines: [heading, ...(advice ? advice.split('\n').map(oneLine) : [])] }
  }
  if (!(error instanceof BroadsideError)) return undefined
  const isConnection = error instanceof BroadsideConnectionError
  const [exit, code] = isConnection ? (['unavailable', 'connection_failed'] as const) : (['failed', 'failed'] as const)
  const advice = 'Run `broadside doctor` to find out why.'
  const detail = oneLine(error.message).replace('baseUrl', 'the address')
  return { exit, document: { code, detail, advice }, lines: [red(`Error: ${detail}`), advice] }
}

function describeProblem(problem: BroadsideProblem, red: (text: string) => string): Described {
  const { document, code, detail, errors, accountUrl, requestId, retryAfterSeconds, type } = problem
  const advice = (commandLine.advice as Record<string, string>)[code]
  const { reason } = document
  const lines = [
    red(`Error: ${oneLine(document.title)} (${code})`),
    oneLine(detail),
    ...(reason && reason !== detail ? [oneLine(reason)] : []),
    ...fieldLines(errors),
    ...(advice ? [`What to do: ${advice}`] : []),
    ...(retryAfterSeconds === undefined ? [] : [`Try again in ${retryAfterSeconds} s.`]),
    ...(accountUrl ? [`For the owner: ${oneLine(accountUrl)}`] : []),
    `About this problem: ${oneLine(type)}`,
    `Request: ${oneLine(requestId)}`,
  ]
  return { exit: exitOf(document), document, lines }
}

/** The first rule that matches. */
export function exitOf({ status, for_human }: Pick<ProblemDocument, 'status' | 'for_human'>): ExitName {
  const rule = exitRules.find(
    ({ forHuman, statuses, from }) =>
      (forHuman && for_human) || statuses?.includes(status) || (from !== undefined && status >= from),
  )
  return rule?.exit ?? 'failed'
}

/** One line per field, and beneath it what would be valid. */
function fieldLines(errors: readonly FieldProblem[]): string[] {
  const name = ({ pointer }: FieldProblem) => oneLine(pointer.replace(/^#?\/?/, '')) || '(body)'
  const width = Math.max(0, ...errors.map((error) => name(error).length))
  return errors.flatMap((error) => {
    const indent = ' '.repeat(width + 4)
    const shown = (value: unknown) => oneLine(typeof value === 'string' ? value : JSON.stringify(value))
    return [
      `  ${pad(name(error), width)}  ${oneLine(error.detail)}`,
      ...(error.closest === undefined ? [] : [`${indent}Did you mean ${shown(error.closest)}?`]),
      ...(error.allowed ? [`${indent}Allowed: ${error.allowed.map(shown).join(', ')}`] : []),
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
