import type { Operation } from '../../contract/define-operation.ts'
import { curl } from './curl.ts'
import type { DocumentSite } from './document-site.ts'
import { codeFence, jsonFence } from './markdown-table.ts'

export function operationNamed({ operations }: DocumentSite, id: string): Operation {
  const operation = operations.find((each) => each.id === id)
  if (!operation) throw new Error(`No operation has the id ${id}.`)
  return operation
}

/** An example of the registry with this deployment's own addresses. */
export function localised<Value>(site: DocumentSite, value: Value): Value {
  const addresses = [
    ...site.family.map(({ slug, baseUrl }) => [`https://${slug}.broadside.example`, baseUrl] as const),
    ['https://account.broadside.example', site.accountPageUrl] as const,
  ]
  const text = addresses.reduce((json, [example, own]) => json.replaceAll(example, own), JSON.stringify(value))
  return JSON.parse(text) as Value
}

/** What the operation answers, from its own example. */
export const answerFence = (site: DocumentSite, operation: Operation): string =>
  jsonFence(localised(site, operation.examples.output))

/** A call of the operation, from its own example. Whose it is, is left to the shell: `$POST_ID`. */
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
