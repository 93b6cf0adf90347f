import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { kinds } from '../../../src/kinds/index.ts'
import type { Contract, Entry, Parts, Schema } from '../contract.ts'
import { namesIn, plainSchema } from './plain-schema.ts'

type Json = Record<string, unknown>
type Content = Record<string, { schema: Json }>
type Parameter = { name: string; in: string; required?: boolean; schema: Json }
type Operation = {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { headers?: Record<string, { schema: Json }>; content?: Content }>
  security?: Record<string, string[]>[]
}
export type OpenApi = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}
export type AsyncApi = {
  components: {
    messages: Record<string, Json & { name: string; payload: Json; headers?: Json }>
    schemas: Record<string, Json>
  }
}
export type Catalogue = { problems: { code: string; status: number; type: string }[] }

/** The contract documents of each site, as they are committed. */
export type Documents = Record<string, { openapi: OpenApi; asyncapi: AsyncApi; problems: Catalogue }>

export const slugs = kinds.map(({ site }) => site.slug)

export function readDocuments(root: string): Documents {
  const read = (site: string, file: string) => readFileSync(join(root, 'generated', site, file), 'utf8')
  return Object.fromEntries(
    slugs.map((site) => [
      site,
      {
        openapi: JSON.parse(read(site, 'openapi.json')) as OpenApi,
        asyncapi: parse(read(site, 'asyncapi.yml')) as AsyncApi,
        problems: JSON.parse(read(site, 'problems/index.json')) as Catalogue,
      },
    ]),
  )
}

export function documentParts(documents: Documents): { openapi: Parts; asyncapi: Parts; problems: Parts } {
  const each = (read: (site: Documents[string]) => Contract): Parts =>
    Object.fromEntries(Object.entries(documents).map(([name, site]) => [name, read(site)]))
  return {
    openapi: each(({ openapi }) => readOpenApi(openapi)),
    asyncapi: each(({ asyncapi }) => readAsyncApi(asyncapi)),
    problems: each(({ problems }) => readProblems(problems)),
  }
}

function readOpenApi({ paths, components }: OpenApi): Contract {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, readOperation(operation)]),
  )
  return { entries: Object.fromEntries(operations), schemas: plainSchemas(components.schemas) }
}

function readOperation({ parameters = [], requestBody, responses, security = [{}] }: Operation): Entry {
  const inputs = parameters.map((one) => [
    `${one.in} ${one.name}`,
    { ...(one.required ? { required: true } : {}), schema: plainSchema(one.schema) },
  ])
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [
    `body ${type}`,
    { schema: plainSchema(schema) },
  ])
  const outputs = Object.entries(responses).flatMap(([status, { headers = {}, content = {} }]) => [
    ...Object.entries(content).map(([type, { schema }]) => [`${status} ${type}`, { schema: plainSchema(schema) }]),
    ...Object.entries(headers).map(([name, { schema }]) => [
      `${status} header ${name}`,
      { schema: plainSchema(schema) },
    ]),
    ...(Object.keys(content).length + Object.keys(headers).length === 0 ? [[`${status} no body`, { schema: {} }]] : []),
  ])
  return {
    inputs: Object.fromEntries([...inputs, ...bodies]),
    outputs: Object.fromEntries(outputs),
    access: security.map((schemes) =>
      Object.entries(schemes).flatMap(([scheme, scopes]) => [scheme, ...scopes.map((scope) => `${scheme} ${scope}`)]),
    ),
    ...(requestBody?.required ? { facts: { 'body required': true } } : {}),
  }
}

function readAsyncApi({ components: { messages, schemas } }: AsyncApi): Contract {
  const events = Object.values(messages).map(({ name, payload, headers }) => [
    name,
    {
      outputs: {
        payload: { schema: plainSchema(payload) },
        ...(headers ? { headers: { schema: plainSchema(headers) } } : {}),
      },
    },
  ])
  return { entries: Object.fromEntries(events), schemas: plainSchemas(schemas) }
}

function readProblems({ problems }: Catalogue): Contract {
  // The host of the address is that of the site.
  const entries = problems.map(({ code, status, type }) => [code, { facts: { status, type: new URL(type).pathname } }])
  return { entries: Object.fromEntries(entries), schemas: {} }
}

const plainSchemas = (schemas: Record<string, Json>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, plainSchema(schema)]))

/** Only the named schemas that these entries reach. */
export function reachedSchemas(
  entries: Record<string, Entry>,
  schemas: Record<string, Schema>,
): Record<string, Schema> {
  const reached = new Set<string>()
  const visit = (value: unknown) => {
    for (const name of namesIn(value)) {
      if (reached.has(name) || !schemas[name]) continue
      reached.add(name)
      visit(schemas[name])
    }
  }
  visit(entries)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => reached.has(name)))
}
