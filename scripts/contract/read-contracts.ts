import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { CommandError } from '../../src/bin/command.ts'
import type { Contract, Entry } from './compare-contracts.ts'
import type { Schema } from './compare-schemas.ts'

type Content = Record<string, { schema: Schema }>
type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
type Operation = {
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { headers?: Content; content?: Content }>
  security?: Record<string, string[]>[]
}
type Message = { name: string; payload: Schema; headers?: Schema }
type Problem = { code: string; status: number; type: string }
type Tool = { name: string; inputSchema: Schema }

// biome-ignore lint/suspicious/noExplicitAny: documents have the shapes above, and tests change any part of them.
export type Document = any
/** The contract documents of one state, by their path in the folder `generated`. */
export type Documents = Record<string, Document>

const sites = ['messages', 'stories', 'classifieds', 'events']
const toolsFile = 'mcp-tools.json'
const files = [
  ...sites.flatMap((site) => [`${site}/openapi.json`, `${site}/asyncapi.yml`, `${site}/problems/index.json`]),
  toolsFile,
]

export function readDocuments(folder: string): Documents {
  const read = (file: string): [string, Document] => {
    const path = join(folder, file)
    if (!existsSync(path)) throw new CommandError(`${path} does not exist.`)
    const text = readFileSync(path, 'utf8')
    return [file, file.endsWith('.json') ? JSON.parse(text) : parse(text)]
  }
  return Object.fromEntries(files.map(read))
}

/** The contracts in the documents, by kind and then by site or server. */
export function contractsOf(documents: Documents): Record<string, Record<string, Contract>> {
  const ofSites = (file: string, read: (document: Document) => Contract['entries']) =>
    Object.fromEntries(
      sites.map((site) => {
        const document = documents[`${site}/${file}`]
        return [site, { document, entries: read(document) }]
      }),
    )
  const servers = Object.entries<Tool[]>(documents[toolsFile])
  return {
    openapi: ofSites('openapi.json', ({ paths }) => operationsIn(paths)),
    asyncapi: ofSites('asyncapi.yml', ({ components }) => eventsIn(components.messages)),
    problems: ofSites('problems/index.json', ({ problems }) => problemsIn(problems)),
    mcp: Object.fromEntries(servers.map(([server, tools]) => [server, { document: {}, entries: toolsIn(tools) }])),
  }
}

function operationsIn(paths: Record<string, Record<string, Operation>>): Record<string, Entry> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => [`${method.toUpperCase()} ${path}`, operationIn(one)]),
  )
  return Object.fromEntries(operations)
}

function operationIn({ parameters = [], requestBody, responses, security = [{}] }: Operation): Entry {
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({
    ...{ in: 'body', name: type, schema },
    required: requestBody?.required ?? false,
  }))
  const sent = [...parameters, ...bodies].map((one) => ({ ...one, name: `${one.in} ${one.name}` }))
  const received = Object.entries(responses).flatMap(([status, { headers = {}, content = {} }]) => [
    ...Object.entries(content).map(([type, { schema }]) => [`${status} ${type}`, schema]),
    ...Object.entries(headers).map(([name, { schema }]) => [`${status} header ${name}`, schema]),
    ...(Object.keys({ ...content, ...headers }).length === 0 ? [[`${status} without body`, {}]] : []),
  ])
  return {
    sent: {
      properties: Object.fromEntries(sent.map(({ name, schema }) => [name, schema])),
      required: sent.filter(({ required }) => required).map(({ name }) => name),
    },
    received: Object.fromEntries(received),
    access: security.map((ways) =>
      Object.entries(ways).flatMap(([way, scopes]) => [way, ...scopes.map((scope) => `${way} ${scope}`)]),
    ),
  }
}

const eventsIn = (messages: Record<string, Message>): Record<string, Entry> =>
  Object.fromEntries(
    Object.values(messages).map(({ name, payload, headers = {} }) => [name, { received: { payload, headers } }]),
  )

/** The host of the address is that of the site. */
const problemsIn = (problems: readonly Problem[]): Record<string, Entry> =>
  Object.fromEntries(
    problems.map(({ code, status, type }) => [
      code,
      { received: { status: { const: status }, type: { const: new URL(type).pathname } } },
    ]),
  )

/** A tool returns what its operation returns. */
const toolsIn = (tools: readonly Tool[]): Record<string, Entry> =>
  Object.fromEntries(tools.map(({ name, inputSchema }) => [name, { sent: inputSchema }]))
