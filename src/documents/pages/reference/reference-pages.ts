import { answersNothing, type Operation } from '../../../contract/define-operation.ts'
import { inputSchema, type JsonSchema, namedParts, outputSchema } from '../../../contract/generators/json-schema.ts'
import { groupPath, referenceAddress, referencePath } from '../../../contract/generators/reference-address.ts'
import type { BookPage } from '../book-page.ts'
import type { DocumentSite } from '../document-site.ts'
import { schemaAddress, schemaId, schemasPath } from './addresses.ts'
import { commonProblems, fieldList, operationText, problemList } from './operation-text.ts'

const openApi = [
  { type: 'application/yaml', href: '/openapi.yml', title: 'OpenAPI 3.1' },
  { type: 'application/json', href: '/openapi.json', title: 'OpenAPI 3.1' },
]

/** The reference of a site: an overview, a page for each tag of its operations, and the shared schemas. */
export function referencePages(site: DocumentSite): BookPage[] {
  const byTag = [...Map.groupBy(site.operations, ({ tag }) => tag)]
  return [
    overviewPage(site, byTag),
    ...byTag.map(([tag, operations]) => groupPage(site, tag, operations)),
    schemasPage(site),
  ]
}

const shared = { group: 'Reference', alternates: openApi, deepestHeading: 2 } as const

type Tagged = readonly (readonly [tag: string, operations: readonly Operation[]])[]

/**
 * Every operation and schema in one line. The ids are those of the former reference on one page, so that old links find
 * the line that leads on.
 */
function overviewPage(site: DocumentSite, byTag: Tagged): BookPage {
  return {
    ...shared,
    path: referencePath,
    title: 'API reference',
    description: `Every operation of ${site.kind.site.title} in one line, by group.`,
    text: () =>
      [
        `Base URL: \`${site.baseUrl}\`. Requests and responses are JSON. Money is in micro-dollars. We may add new fields to responses. [Errors](/docs/errors/) explains problem documents.`,
        'Each operation has an example in curl, [TypeScript](/docs/client/) and [Python](/docs/python/). The clients read `BROADSIDE_URL` and `BROADSIDE_API_KEY` from the environment.',
        'This reference is also available as OpenAPI 3.1, in [YAML](/openapi.yml) and [JSON](/openapi.json).',
        ...byTag.flatMap(([tag, operations]) => [
          `## [${tag}](/${groupPath(tag)}) {#tag-${tag}}`,
          operations.map(operationLine).join('\n'),
        ]),
        `## [Schemas](/${schemasPath}) {#schemas}`,
        [...sharedSchemas(site.operations).keys()]
          .sort()
          .map((name) => `- [${name}](${schemaAddress(name)}) {#${schemaId(name)}}`)
          .join('\n'),
      ].join('\n\n'),
  }
}

const operationLine = (operation: Operation): string =>
  `- [\`${operation.method}\` \`${operation.path}\`](${referenceAddress(operation)}) ${operation.summary} {#${operation.id}}`

function groupPage(site: DocumentSite, tag: string, operations: readonly Operation[]): BookPage {
  const [count, noun] = operations.length === 1 ? ['One', 'operation'] : [String(operations.length), 'operations']
  return {
    ...shared,
    path: groupPath(tag),
    title: `${tag} API`,
    description: `${count} ${noun} under ${tag}, with fields, examples, responses and problems.`,
    text: () =>
      [
        problemList(commonProblems(site), 'that every operation can return'),
        ...operations.map((operation) => operationText(site, operation)),
      ].join('\n\n'),
  }
}

function schemasPage({ operations }: DocumentSite): BookPage {
  return {
    ...shared,
    path: schemasPath,
    title: 'Schemas',
    description: 'The objects that several requests and responses share, with all their fields.',
    text: () =>
      [...sharedSchemas(operations)]
        .map(([name, schema]) => `## ${name} {#${schemaId(name)}}\n\n${fieldList(schema)}`)
        .join('\n\n'),
  }
}

function sharedSchemas(operations: readonly Operation[]): Map<string, JsonSchema> {
  const outputs = operations.flatMap((operation) => [
    ...(answersNothing(operation) ? [] : [operation.output]),
    ...(operation.trialAnswer ? [operation.trialAnswer.output] : []),
  ])
  const inputs = operations.flatMap(({ body }) => (body ? [body] : []))
  return new Map(
    [...inputs.map(inputSchema), ...outputs.map(outputSchema)].flatMap((schema) => [...namedParts(schema)]),
  )
}
