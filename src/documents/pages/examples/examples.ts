import type { Operation } from '../../../contract/define-operation.ts'
import type { DocumentSite } from '../document-site.ts'
import { jsonFence } from '../markdown-parts.ts'

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
