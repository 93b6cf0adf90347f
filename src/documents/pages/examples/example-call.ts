import type { Operation } from '../../../contract/define-operation.ts'
import type { DocumentSite } from '../document-site.ts'
import type { TaskName } from './client-tasks.ts'
import { localised } from './examples.ts'

/** A value that the reader sets in the environment: `POST_ID`. */
export class EnvironmentVariable {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/** Values in the path or the query, by name. */
type ExampleValues = Readonly<Record<string, string | EnvironmentVariable>>

/** A call of an operation, to be shown in several languages. */
export type ExampleCall = {
  operation: Operation
  baseUrl: string
  /** The kind of post that the site is for. */
  kind: string
  /** The method of the clients, if not the usual one for this call. */
  task?: TaskName
  /** The environment variable with the bearer token, if the call needs one. */
  credential: 'BROADSIDE_API_KEY' | 'OWNER_SESSION' | undefined
  params: ExampleValues
  query: ExampleValues
  body?: unknown
  /** A file with the body, which the command in curl reads. */
  bodyFile?: string
  idempotencyKey?: string | undefined
}

/** The call in the operation's own example, with some of it replaced. Ids come from the environment. */
export function exampleCall(
  site: DocumentSite,
  operation: Operation,
  replaced: Partial<Omit<ExampleCall, 'operation'>> = {},
): ExampleCall {
  const { access, examples, params, takesIdempotencyKey } = operation
  const credentials = { anyone: undefined, key: 'BROADSIDE_API_KEY', owner: 'OWNER_SESSION' } as const
  return {
    operation,
    baseUrl: site.baseUrl,
    kind: site.kind.name,
    credential: credentials[access],
    params: Object.fromEntries(Object.keys(params?.shape ?? {}).map((name) => [name, idOf(operation)])),
    query: (examples.query ?? {}) as ExampleValues,
    ...(examples.body !== undefined && { body: localised(site, examples.body) }),
    ...(takesIdempotencyKey && { idempotencyKey: `my-first-${site.kind.name}` }),
    ...replaced,
  }
}

/** The id in `/v1/posts/{id}` is `POST_ID`, and so on. */
function idOf({ path }: Operation): EnvironmentVariable {
  const [, noun = ''] = /([\w-]+)s\/\{\w+\}/.exec(path) ?? []
  return new EnvironmentVariable(`${noun.toUpperCase().replaceAll('-', '_')}_ID`)
}

/** The address of the call. `write` prints a variable in the language of the example. */
export function addressOf(call: ExampleCall, write: (variable: string) => string): string {
  const written = (value: string | EnvironmentVariable | undefined) =>
    value instanceof EnvironmentVariable ? write(value.name) : encodeURIComponent(String(value))
  const path = call.operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => written(call.params[name]))
  const query = Object.entries(call.query).map(([name, value]) => `${name}=${written(value)}`)
  return `${call.baseUrl}${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

/** The names of the environment variables that the call needs. */
export const variablesOf = ({ credential, params, query }: ExampleCall): string[] => [
  ...(credential ? [credential] : []),
  ...Object.values({ ...params, ...query }).flatMap((value) =>
    value instanceof EnvironmentVariable ? [value.name] : [],
  ),
]
