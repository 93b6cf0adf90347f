import clientPackage from '../../../../clients/typescript/package.json' with { type: 'json' }
import { answersNothing } from '../../../contract/define-operation.ts'
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

/** The call as a program that uses the client. The pages test compiles and runs it. */
export function typescriptOf(call: ExampleCall): string {
  const { operation, baseUrl, credential, bodyFile } = call
  const variables = variablesOf(call).map((name) => `${name} = ''`)
  const option = credential === 'OWNER_SESSION' ? 'ownerToken' : 'apiKey'
  const options = [`baseUrl: '${baseUrl}'`, ...(credential ? [`${option}: ${credential}`] : [])]
  const called = `await broadside.${operation.id}(${argumentsOf(call)})`
  return [
    ...(bodyFile ? ["import { readFile } from 'node:fs/promises'"] : []),
    `import { Broadside } from '${clientPackage.name}'`,
    '',
    ...(variables.length > 0 ? [`const { ${variables.join(', ')} } = process.env`] : []),
    `const broadside = new Broadside({ ${options.join(', ')} })`,
    ...(bodyFile ? [`const post = JSON.parse(await readFile('${bodyFile}', 'utf8'))`] : []),
    ...(answersNothing(operation) ? [called] : [`const answer = ${called}`, 'console.log(answer)']),
  ].join('\n')
}

/** The values of the path, body, query and options, in the order of the client's methods. Empty ones at the end are left out. */
function argumentsOf({ operation, params, query, body, bodyFile, idempotencyKey }: ExampleCall): string {
  const given = [
    ...Object.keys(operation.params?.shape ?? {}).map((name) => params[name]),
    ...(operation.body ? [bodyFile ? undefined : body] : []),
    ...(operation.query ? [query] : []),
    ...(idempotencyKey === undefined ? [] : [{ idempotencyKey }]),
  ]
  const end = given.findLastIndex((value) => value === undefined || Object.keys(value as object).length > 0)
  const print = (value: unknown, depth: number) => (value === undefined ? 'post' : literal(value, style, depth))
  const line = given
    .slice(0, end + 1)
    .map((value) => print(value, 0))
    .join(', ')
  if (end < 1 || !line.includes('\n')) return line
  return `\n${given
    .slice(0, end + 1)
    .map((value) => `  ${print(value, 1)},\n`)
    .join('')}`
}
