import {
  type Access,
  answerHeadersOf,
  answersNothing,
  type Operation,
  problemsOf,
} from '../../contract/define-operation.ts'
import {
  inputSchema,
  type JsonSchema,
  namedParts,
  outputSchema,
  withReferences,
} from '../../contract/generators/json-schema.ts'
import { type ProblemCode, problems } from '../../contract/problems/problems.ts'
import { keptFor } from '../../contract/retention/periods.ts'
import { type Html, html } from '../../markup/html.ts'
import type { DocumentSite } from './document-site.ts'
import { curlOf, localised } from './examples.ts'
import type { DocumentPage } from './frame.ts'
import { codeBlock, inline } from './markdown.ts'
import { componentOf, type Field, fieldsOf, typeOf } from './schema-fields.ts'

/** Every operation in the site's registry, on one page without scripts. */
export function referencePage(site: DocumentSite): DocumentPage {
  const byTag = Map.groupBy(site.operations, ({ tag }) => tag)
  const schemas = sharedSchemas(site.operations)
  return {
    path: 'docs/reference/',
    title: 'API reference',
    description: `Every operation of ${site.kind.site.title}, with its fields, examples, responses and problems.`,
    alternates: [
      { type: 'application/yaml', href: '/openapi.yml', title: 'OpenAPI 3.1' },
      { type: 'application/json', href: '/openapi.json', title: 'OpenAPI 3.1' },
    ],
    content: html`<p>Base URL: <code>${site.baseUrl}</code>. This reference is also available as OpenAPI 3.1 in <a href="/openapi.yml">YAML</a> and <a href="/openapi.json">JSON</a>. Requests and responses are JSON. Money is in micro-dollars. We may add new fields to responses. <a href="/docs/errors/">Errors</a> explains problem documents.</p>
!${contents(byTag, [...schemas.keys()])}
!${[...byTag].map(
      ([tag, operations]) => html`<h2 id="tag-${tag}">${tag}</h2>
!${operations.map((operation) => operationSection(site, operation))}`,
    )}
<h2 id="schemas">Schemas</h2>
!${[...schemas].map(schemaSection)}`,
  }
}

function contents(byTag: Map<string, Operation[]>, schemaNames: readonly string[]): Html {
  const groups = [...byTag].map(
    ([tag, operations]) => html`<li><a href="#tag-${tag}">${tag}</a>
<ul>!${operations.map(({ id, method, path, summary }) => html`<li><a href="#${id}">${summary}</a> <code>${method} ${path}</code></li>`)}</ul></li>`,
  )
  return html`<nav class="toc" aria-label="On this page"><ul>!${groups}
<li><a href="#schemas">Schemas</a>
<ul>!${schemaNames.map((name) => html`<li><a href="#${schemaId(name)}">${name}</a></li>`)}</ul></li></ul></nav>`
}

function operationSection(site: DocumentSite, operation: Operation): Html {
  const { id, method, path, summary, description, params, query, body } = operation
  return html`<section class="operation" aria-labelledby="${id}">
<h3 id="${id}">${summary}</h3>
<p class="endpoint"><code>${method} ${path}</code></p>
<p>!${inline(description)}</p>
<p>!${whoMayCall(operation)}</p>
!${params ? part('Path parameters', fieldList(withReferences(inputSchema(params)))) : ''}
!${query ? part('Query parameters', fieldList(withReferences(inputSchema(query)))) : ''}
!${operation.takesIdempotencyKey ? part('Header', idempotencyHeader) : ''}
!${body ? part('Body', fieldList(withReferences(inputSchema(body)))) : ''}
!${part('Example', codeBlock(curlOf(site, operation), 'sh'))}
!${part('Response', answers(site, operation))}
!${part('Problems', problemList(problemsOf(operation)))}
</section>
`
  function part(title: string, content: Html): Html {
    return html`<h4>${title}</h4>
!${content}`
  }
}

const whoMayCall = ({ access, whenBanned }: Operation): Html =>
  html`!${callers[access]} ${whenBanned === 'refused' ? 'A banned account cannot call this operation.' : 'A banned account can call this operation.'}`

const callers: Record<Access, Html> = {
  anyone: html`Anyone can call this operation. A key is optional; if you send one, it must be valid.`,
  key: html`This operation needs an <a href="/docs/authentication/">API key</a>.`,
  owner: html`This operation needs the <a href="/docs/authentication/#what-only-the-owner-may-do">owner’s session</a>.`,
}

const idempotencyHeader = html`<dl class="fields"><dt><code>Idempotency-Key</code> <span class="type">string, 8 to 128 characters, optional</span></dt><dd>Identifies one logical request for ${keptFor('idempotent-answers')}: a retry returns the first response and is not charged again. <a href="/docs/posting/#idempotency">More about idempotency</a></dd></dl>`

function fieldList(schema: JsonSchema): Html {
  const fields = fieldsOf(schema)
  return html`<dl class="fields">!${fields.map(fieldItem)}</dl>`
}

function fieldItem({ path, type, component, isRequired, description, limits }: Field): Html {
  const kind = component ? html`<a href="#${schemaId(component)}">${type}</a>` : html`${type}`
  const need = isRequired ? html`<strong>required</strong>` : 'optional'
  return html`<dt><code>${path}</code> <span class="type">!${kind}, !${need}</span></dt>
<dd>!${inline(described(description, limits))}</dd>
`
}

/** The description, then the limits: `Plain text. (1 to 500 characters)` */
function described(description: string, limits: readonly string[]): string {
  if (limits.length === 0) return description === '' ? '–' : description
  const rules = limits.join('; ')
  return description === '' ? rules : `${description} (${rules})`
}

function answers(site: DocumentSite, operation: Operation): Html {
  const { successStatus, output, examples, trialAnswer, revalidates } = operation
  const headers = Object.entries(answerHeadersOf(operation)).map(
    ([name, says]) => html`<li><code>${name}</code>: !${inline(says)}</li>`,
  )
  if (answersNothing(operation)) return html`<p><strong>${successStatus}</strong>, without a body.</p>`
  return html`<p><strong>${successStatus}</strong>: !${schemaLink(output)}</p>
!${headers.length > 0 ? html`<ul>!${headers}</ul>` : ''}
!${foldedJson(`Example of a ${successStatus} response`, localised(site, examples.output))}
!${
    trialAnswer
      ? html`<p><strong>${trialAnswer.status}</strong>, with <code>dry_run=true</code>: !${schemaLink(trialAnswer.output)}</p>
!${foldedJson(`Example of a ${trialAnswer.status} response`, localised(site, trialAnswer.example))}`
      : ''
  }
!${revalidates ? html`<p><strong>304</strong>: the version in <code>If-None-Match</code> is still current.</p>` : ''}`
}

function schemaLink(schema: Operation['output']): Html {
  const printed = withReferences(outputSchema(schema))
  const options = (printed['anyOf'] as JsonSchema[] | undefined) ?? [printed]
  const links = options.map((option) => {
    const component = componentOf(option)
    return component ? html`<a href="#${schemaId(component)}">${component}</a>` : html`${typeOf(option)}`
  })
  return links.join(' or ')
}

/** Collapsed, so that readers can skim the page. */
const foldedJson = (title: string, value: unknown): Html =>
  html`<details><summary>${title}</summary>
!${codeBlock(JSON.stringify(value, null, 2), 'json')}</details>`

/** The problems as links, one line per status. */
function problemList(codes: readonly ProblemCode[]): Html {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status)
  const lines = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, those]) => {
      const links = those.map((code) => html`<a href="/problems/${code}">${code}</a>`)
      return html`<li>${status} !${links.join(', ')}</li>`
    })
  return html`<ul class="problems">!${lines}</ul>`
}

function sharedSchemas(operations: readonly Operation[]): Map<string, JsonSchema> {
  const outputs = operations.flatMap((operation) => [
    ...(answersNothing(operation) ? [] : [operation.output]),
    ...(operation.trialAnswer ? [operation.trialAnswer.output] : []),
  ])
  const parts = outputs.flatMap((output) => [...namedParts(outputSchema(output))])
  return new Map(parts.map(([name, schema]) => [name, withReferences(schema)]))
}

const schemaSection = ([name, schema]: [string, JsonSchema]): Html => html`<section aria-labelledby="${schemaId(name)}">
<h3 id="${schemaId(name)}">${name}</h3>
!${fieldList(schema)}
</section>
`

const schemaId = (name: string) => `schema-${name}`
