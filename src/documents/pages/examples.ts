import type { Operation } from '../../contract/define-operation.ts'
import type { DocumentSite } from './document-site.ts'
import { codeFence, jsonFence } from './markdown-parts.ts'

export function operationNamed({ operations }: DocumentSite, id: string): Operation {
  const operation = operations.find((each) => each.id === id)
  if (!operation) throw new Error(`No operation has the id ${id}.`)
  return operation
}

/** An example from the registry, with this deployment's addresses in place of the example addresses. */
export function localised<Value>(site: DocumentSite, value: Value): Value {
  const addresses = [
    ...site.family.map(({ slug, baseUrl }) => [`https://${slug}.broadside.example`, baseUrl] as const),
    ['https://account.broadside.example', site.accountPageUrl] as const,
  ]
  const text = addresses.reduce((json, [example, own]) => json.replaceAll(example, own), JSON.stringify(value))
  return JSON.parse(text) as Value
}

/** The operation's example response, as a code fence. */
export const answerFence = (site: DocumentSite, operation: Operation): string =>
  jsonFence(localised(site, operation.examples.output))

/** A curl command built from the operation's example. Ids are shell variables: `$POST_ID`. */
export const curlOf = (site: DocumentSite, operation: Operation): string =>
  curl({
    method: operation.method,
    url: site.baseUrl + operation.path.replace(/(\w+)s\/\{id\}/, (_, noun) => `${noun}s/$${noun.toUpperCase()}_ID`),
    hasKey: operation.access === 'key',
    ...(operation.access === 'owner' && { headers: { authorization: 'Bearer $OWNER_SESSION' } }),
    ...(operation.takesIdempotencyKey && { idempotencyKey: `my-first-${site.kind.name}` }),
    ...(operation.examples.body !== undefined && { body: operation.examples.body }),
  })

export const curlFence = (site: DocumentSite, id: string): string =>
  codeFence('sh', curlOf(site, operationNamed(site, id)))

export type CurlRequest = {
  method: string
  url: string
  /** Whether to send the API key from the shell variable `API_KEY`. */
  hasKey?: boolean
  idempotencyKey?: string
  /** Other headers, in display order. */
  headers?: Readonly<Record<string, string>>
  body?: unknown
  /** A file with the body, instead of `body`. */
  bodyFile?: string
}

/** A command that can be pasted into a shell unchanged. */
export function curl({ method, url, hasKey, idempotencyKey, headers = {}, body, bodyFile }: CurlRequest): string {
  const hasBody = body !== undefined || bodyFile !== undefined
  // curl sends GET by default, or POST if there is a body.
  const isPlain = method === (hasBody ? 'POST' : 'GET')
  const words = [
    `curl -s ${isPlain ? '' : `-X ${method} `}${shellWord(url)}`,
    ...(hasKey ? ['-H "authorization: Bearer $API_KEY"'] : []),
    ...(idempotencyKey === undefined ? [] : [`-H ${shellWord(`idempotency-key: ${idempotencyKey}`)}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...(hasBody ? [`-H 'content-type: application/json'`] : []),
    ...(bodyFile === undefined ? [] : [`--data-binary @${bodyFile}`]),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body, null, 2))}`]),
  ]
  return words.join(' \\\n  ')
}

/** A command that writes JSON to a file. The quoted delimiter prevents shell expansion. */
export const writeJsonFile = (name: string, value: unknown): string =>
  `cat > ${name} <<'JSON'\n${JSON.stringify(value, null, 2)}\nJSON`

/** Uses double quotes around shell variables such as `$POST_ID`, so that the shell expands them. */
const shellWord = (text: string): string => {
  if (/\$[A-Z_]+/.test(text)) return `"${text}"`
  return /^[\w:/.%-]+$/.test(text) ? text : quoted(text)
}
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
