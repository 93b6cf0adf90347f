import type { Answer, CallOptions } from './call.ts'
import { operations } from './generated/operations.ts'
import type { Operations } from './generated/types.ts'
import type { Transport } from './transport.ts'

/** The same operations with the status, the headers and the request id of their response. */
export type WithResponse = {
  [Name in keyof Operations]: (
    ...args: Parameters<Operations[Name]>
  ) => Promise<Answer<Awaited<ReturnType<Operations[Name]>>>>
}

const names = Object.keys(operations) as (keyof Operations)[]

/** A method per operation: the values of the path, then the body, the query and the options. */
export function methodsOf(transport: Transport): WithResponse {
  const method =
    (facts: string) =>
    (...args: unknown[]) => {
      const [, path = '', letters = ''] = facts.split(' ')
      let next = path.split('{').length - 1
      const params = args.slice(0, next) as string[]
      const body = letters.includes('b') ? args[next++] : undefined
      const query = letters.includes('q') ? (args[next++] as object | undefined) : undefined
      return transport.send({ facts, params, body, query, options: args[next] as CallOptions | undefined })
    }
  return Object.fromEntries(names.map((name) => [name, method(operations[name])])) as WithResponse
}

type Method = (...args: unknown[]) => Promise<{ body: unknown }>

class Methods {
  /** The same operations with the status, the headers and the request id of their response. */
  readonly withResponse: WithResponse

  constructor(transport: Transport) {
    this.withResponse = methodsOf(transport)
  }
}

for (const name of names)
  Object.defineProperty(Methods.prototype, name, {
    async value(this: Methods, ...args: unknown[]) {
      return (await (this.withResponse[name] as Method)(...args)).body
    },
  })

/** Every operation as a method that returns the body of the response. */
export const BroadsideOperations = Methods as new (transport: Transport) => Methods & Operations
