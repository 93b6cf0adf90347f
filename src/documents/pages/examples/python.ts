import { snakeCase } from '../../../contract/generators/python/names.ts'
import { clientCall } from './client-calls.ts'
import { type ExampleCall, variablesOf } from './example-call.ts'
import { type LiteralStyle, literal } from './literal.ts'

const style: LiteralStyle = {
  indent: '    ',
  space: '',
  text: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  constants: { true: 'True', false: 'False', null: 'None' },
  variable: (name) => `os.environ["${name}"]`,
}

/** The call as a program that uses the client, which reads BROADSIDE_URL and BROADSIDE_API_KEY by itself. */
export function pythonOf(call: ExampleCall): string {
  const { method, result, prints, isLoop } = clientCall(call)
  const isOwner = call.credential === 'OWNER_SESSION'
  const needsEnvironment = variablesOf(call).some((name) => name !== 'BROADSIDE_API_KEY')
  const called = `broadside.${snakeCase(method)}(${argumentsIn(call)})`
  const print = `print(${prints.map((path) => result + memberOf(path)).join(', ') || result})`
  const use = isLoop
    ? [`for ${result} in ${called}:`, `    ${print}`]
    : result === undefined
      ? [called]
      : [`${result} = ${called}`, print]
  return [
    ...(needsEnvironment ? ['import os', ''] : []),
    'from broadside import Broadside',
    '',
    `broadside = Broadside(${isOwner ? 'owner_token=os.environ["OWNER_SESSION"]' : ''})`,
    ...use,
  ].join('\n')
}

/** `charge.total_micros` is `["charge"]["total_micros"]`. */
const memberOf = (path: string): string =>
  path
    .split('.')
    .map((name) => `["${name}"]`)
    .join('')

/** A value, starting on a line with this indentation. */
export const pythonLiteral = (value: unknown, depth = 0): string => literal(value, style, depth)

function argumentsIn(call: ExampleCall): string {
  const { given, options } = clientCall(call)
  const written = (depth: number) => [
    ...given.map((value) => literal(value, style, depth)),
    ...Object.entries(options).map(([name, value]) => `${snakeCase(name)}=${literal(value, style, depth)}`),
  ]
  const lines = written(0)
  const isClear = lines.slice(0, -1).every((text) => !text.includes('\n'))
  return isClear
    ? lines.join(', ')
    : `\n${written(1)
        .map((text) => `    ${text},\n`)
        .join('')}`
}
