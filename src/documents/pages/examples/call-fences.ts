import type { DocumentSite } from '../document-site.ts'
import { codeFence } from '../markdown-parts.ts'
import { curl } from './curl.ts'
import { addressOf, type ExampleCall, exampleCall } from './example-call.ts'
import { operationNamed } from './examples.ts'
import { pythonOf } from './python.ts'
import { typescriptOf } from './typescript.ts'

/** The call in three languages, as code fences that a page shows as tabs. */
export const callFences = (call: ExampleCall, command = curlOf(call)): string =>
  [codeFence('sh', command), codeFence('ts', typescriptOf(call)), codeFence('python', pythonOf(call))].join('\n\n')

/** The operation's own example, with some of it replaced. */
export const exampleFences = (
  site: DocumentSite,
  id: string,
  replaced: Parameters<typeof exampleCall>[2] = {},
): string => callFences(exampleCall(site, operationNamed(site, id), replaced))

export function curlOf(call: ExampleCall): string {
  const { operation, credential, body, bodyFile, idempotencyKey } = call
  return curl({
    method: operation.method,
    url: addressOf(call, (name) => `$${name}`),
    isStream: operation.answersStream === true,
    hasKey: credential === 'BROADSIDE_API_KEY',
    ...(credential === 'OWNER_SESSION' && { headers: { authorization: 'Bearer $OWNER_SESSION' } }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(bodyFile === undefined ? body !== undefined && { body } : { bodyFile }),
  })
}
