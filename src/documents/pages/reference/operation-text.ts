import {
  type Access,
  answerHeadersOf,
  answersNothing,
  type Operation,
  problemsOf,
} from '../../../contract/define-operation.ts'
import { inputSchema, type JsonSchema, outputSchema, withReferences } from '../../../contract/generators/json-schema.ts'
import { type ProblemCode, problemCodes, problems } from '../../../contract/problems/problems.ts'
import { keptFor } from '../../../contract/retention/periods.ts'
import type { DocumentSite } from '../document-site.ts'
import { callFences } from '../examples/call-fences.ts'
import { exampleCall } from '../examples/example-call.ts'
import { localised } from '../examples/examples.ts'
import { codeFence, markCode } from '../markdown-parts.ts'
import { componentOf, type Field, fieldsOf, typeOf } from '../schema-fields.ts'
import { schemaAddress } from './addresses.ts'

/** An operation in Markdown: who may call it, its fields, an example in three languages, responses and problems. */
export function operationText(site: DocumentSite, operation: Operation): string {
  const { id, method, path, summary, description, params, query, body } = operation
  const part = (title: string, text: string) =>
    `### ${title} {#${id}-${title.toLowerCase().replaceAll(' ', '-')}}\n\n${text}`
  return [
    `## ${summary} {#${id}}`,
    codeFence('http', `${method} ${path}`),
    markCode(description),
    whoMayCall(operation),
    ...(params ? [part('Path parameters', fieldList(inputSchema(params)))] : []),
    ...(query ? [part('Query parameters', fieldList(inputSchema(query)))] : []),
    ...(operation.takesIdempotencyKey ? [part('Header', idempotencyHeader)] : []),
    ...(body ? [part('Body', fieldList(inputSchema(body)))] : []),
    part('Example', callFences(exampleCall(site, operation))),
    part('Response', responses(site, operation)),
    part('Problems', problemList(ownProblems(site, operation), 'besides those of every operation')),
  ].join('\n\n')
}

const whoMayCall = ({ access, whenBanned }: Operation): string =>
  `${callers[access]} ${whenBanned === 'refused' ? 'A banned account cannot call this operation.' : 'A banned account can call this operation.'}`

const callers: Record<Access, string> = {
  anyone: 'Anyone can call this operation. A key is optional; if you send one, it must be valid.',
  key: 'This operation needs an [API key](/docs/authentication/).',
  owner: 'This operation needs the [owner’s session](/docs/authentication/#what-only-the-owner-may-do).',
}

const idempotencyHeader = `\`Idempotency-Key\` string, 8 to 128 characters, optional
: Identifies one logical request for ${keptFor('idempotent-answers')}: a retry returns the first response and is not charged again. [More about idempotency](/docs/posting/#idempotency)`

/** The fields of a schema as Markdown definitions. */
export const fieldList = (schema: JsonSchema): string => fieldsOf(withReferences(schema)).map(fieldItem).join('\n')

function fieldItem({ path, type, component, isRequired, ...says }: Field): string {
  const kind = component ? `[${type}](${schemaAddress(component)})` : type
  return `\`${path}\` ${kind}, ${isRequired ? '**required**' : 'optional'}\n: ${described(says)}`
}

/** The description, then the limits and an example: `Plain text. (1 to 500 characters) Example: …` */
function described({ description, limits, example }: Pick<Field, 'description' | 'limits' | 'example'>): string {
  const rules = limits.join('; ')
  const parts = [
    ...(description === '' ? [] : [markCode(description)]),
    ...(rules === '' ? [] : [description === '' ? rules : `(${rules})`]),
    ...(example === undefined ? [] : [`Example: \`${example}\``]),
  ]
  return parts.length === 0 ? '–' : parts.join(' ')
}

function responses(site: DocumentSite, operation: Operation): string {
  const { successStatus, output, examples, trialAnswer, revalidates } = operation
  if (answersNothing(operation)) return `**${successStatus}**, without a body.`
  const headers = Object.entries(answerHeadersOf(operation)).map(([name, says]) => `- \`${name}\`: ${says}`)
  return [
    `**${successStatus}**: ${schemaLink(output)}`,
    ...(headers.length > 0 ? [headers.join('\n')] : []),
    foldedJson(successStatus, localised(site, examples.output)),
    ...(trialAnswer
      ? [
          `**${trialAnswer.status}**, with \`dry_run=true\`: ${schemaLink(trialAnswer.output)}`,
          foldedJson(trialAnswer.status, localised(site, trialAnswer.example)),
        ]
      : []),
    ...(revalidates ? ['**304**: the version in `If-None-Match` is still current.'] : []),
  ].join('\n\n')
}

function schemaLink(schema: Operation['output']): string {
  const printed = withReferences(outputSchema(schema))
  const options = (printed['anyOf'] as JsonSchema[] | undefined) ?? [printed]
  const links = options.map((option) => {
    const component = componentOf(option)
    return component ? `[${component}](${schemaAddress(component)})` : typeOf(option)
  })
  return links.join(' or ')
}

/** Folded on the page, so that readers can skim it. */
const foldedJson = (status: number, value: unknown): string =>
  codeFence(`json Example response: ${status}`, JSON.stringify(value, null, 2))

/** The problems that every operation of the site can return. The top of a page lists them once. */
export function commonProblems({ operations }: DocumentSite): ProblemCode[] {
  const ofEach = operations.map((operation) => new Set(problemsOf(operation)))
  return problemCodes.filter((code) => ofEach.every((codes) => codes.has(code)))
}

function ownProblems(site: DocumentSite, operation: Operation): ProblemCode[] {
  const common = new Set(commonProblems(site))
  return problemsOf(operation).filter((code) => !common.has(code))
}

/** The problems as links, one line per status, below their number. The page folds them. */
export function problemList(codes: readonly ProblemCode[], which: string): string {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status)
  const lines = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, those]) => `- ${status} ${those.map((code) => `[${code}](/problems/${code})`).join(', ')}`)
  return [`${codes.length} ${codes.length === 1 ? 'problem' : 'problems'} ${which}:`, ...lines].join('\n')
}
