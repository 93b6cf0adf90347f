import clientPackage from '../../../../clients/typescript/package.json' with { type: 'json' }
import { clientCall } from './client-calls.ts'
import { type ExampleCall, variablesOf } from './example-call.ts'
import { type LiteralStyle, literal } from './literal.ts'

const style: LiteralStyle = {
  indent: '  ',
  space: ' ',
  text: (text) => `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  key: (name) => (/^[a-z_]\w*$/i.test(name) ? name : `'${name}'`),
  constants: { true: 'true', false: 'false', null: 'null' },
  variable: (name) => name,
}

/** The call as a program that uses the client, which reads BROADSIDE_URL and BROADSIDE_API_KEY by itself. */
export function typescriptOf(call: ExampleCall): string {
  const { method, result, prints, isLoop } = clientCall(call)
  const isOwner = call.credential === 'OWNER_SESSION'
  const variables = variablesOf(call).filter((name) => name !== 'BROADSIDE_API_KEY')
  const called = `broadside.${method}(${argumentsIn(call)})`
  const print = `console.log(${prints.map((path) => `${result}.${path}`).join(', ') || result})`
  const use = isLoop
    ? [`for await (const ${result} of ${called}) {`, `  ${print}`, '}']
    : result === undefined
      ? [`await ${called}`]
      : [`const ${result} = await ${called}`, print]
  return [
    `import { Broadside } from '${clientPackage.name}'`,
    '',
    ...(variables.length > 0 ? [`const { ${variables.map((name) => `${name} = ''`).join(', ')} } = process.env`] : []),
    `const broadside = new Broadside(${isOwner ? '{ ownerToken: OWNER_SESSION }' : ''})`,
    ...use,
  ].join('\n')
}

/** A value, starting on a line with this indentation. */
export const typescriptLiteral = (value: unknown, depth = 0): string => literal(value, style, depth)

/** On one line if they fit, else the last object on lines of its own. */
function argumentsIn(call: ExampleCall): string {
  const { given, options } = clientCall(call)
  const values = [...given, ...(Object.keys(options).length > 0 ? [options] : [])]
  const written = (depth: number) => values.map((value) => literal(value, style, depth))
  // Options after a long body would be hard to see at the end of its last line.
  const lines = written(0)
  const isClear = lines.slice(0, -1).every((text) => !text.includes('\n'))
  return isClear
    ? lines.join(', ')
    : `\n${written(1)
        .map((text) => `  ${text},\n`)
        .join('')}`
}
