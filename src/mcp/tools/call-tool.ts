import { admit } from '../../calls/admit.ts'
import { type Performed, perform } from '../../calls/perform.ts'
import { problemFrom } from '../../calls/problem-from.ts'
import type { Call } from '../../contract/call.ts'
import { pathOf } from '../../contract/define-operation.ts'
import { type Problem, problemDocument } from '../../contract/problems/problem.ts'
import type { ToolRequest } from '../server.ts'
import { chooseSite } from './choose-site.ts'
import type { CallableTool } from './describe-tool.ts'
import { readToolArguments } from './read-arguments.ts'
import type { ToolEntry } from './tool-entry.ts'
import { labels } from './trust-labels.ts'

/** The result of a tool call. A problem is also a result: `isError`, with the same problem document as over HTTP. */
export type ToolResult = {
  content: { type: 'text'; text: string; _meta?: Record<string, unknown> }[]
  structuredContent?: Record<string, unknown>
  isError?: true
  _meta?: Record<string, unknown>
}

/** Calls a tool's operation through the same steps as an HTTP request. */
export async function callTool(
  callable: CallableTool,
  visit: ToolRequest,
  given: Readonly<Record<string, unknown>>,
): Promise<ToolResult> {
  const { tool, entry, hasUserText } = callable
  visit.seen.tool = tool.name
  let { call } = visit
  try {
    // Who may call it is the same on every site.
    call = await admit(callable.operation, call, visit.known)
    const chosen = await chooseSite(callable, call, given)
    const { operation } = chosen
    call = chosen.call
    const { raw, idempotencyKey } = readToolArguments(operation, entry, chosen.given)
    const whole = { ...call, path: pathOf(operation, raw.params), query: raw.query, idempotencyKey }
    const performed = await perform(operation, whole, raw, visit.allowances)
    return success(performed, resultLabels(hasUserText, entry))
  } catch (error) {
    const problem = problemFrom(error)
    visit.seen.problem = problem
    visit.httpProblem = visit.problemForHttp?.(problem, visit.known)
    return refusal(problem, call)
  }
}

type Label = typeof labels.result | typeof labels.block

/** Examples of abuse are also labeled, although no user wrote them. */
function resultLabels(hasUserText: boolean, { quotesAbuse }: ToolEntry): Label | undefined {
  if (hasUserText) return labels.result
  return quotesAbuse && labels.block
}

/** Returns the output as an object for programs and as JSON for models: in JSON, user text cannot close its quotes. */
function success({ body, headers }: Performed, label: Label | undefined): ToolResult {
  if (body === undefined) return { content: [{ type: 'text', text: 'Done.' }] }
  const text = { type: 'text' as const, text: JSON.stringify(body) }
  const _meta = {
    ...label,
    // Over HTTP, a header marks a replay. The object itself must be identical to the first response.
    ...(headers['idempotent-replayed'] && { 'broadside/idempotent_replayed': true }),
  }
  return {
    content: [label ? { ...text, _meta: labels.block } : text],
    structuredContent: body as Record<string, unknown>,
    ...(Object.keys(_meta).length > 0 && { _meta }),
  }
}

function refusal(problem: Problem, { baseUrl, requestId }: Call): ToolResult {
  const text = JSON.stringify(problemDocument(problem, { baseUrl, requestId }))
  return { content: [{ type: 'text', text }], isError: true }
}
