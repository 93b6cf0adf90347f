import { answersNothing } from '../../../contract/define-operation.ts'
import { addressOf, type ExampleCall, variablesOf } from './example-call.ts'
import { type LiteralStyle, literal } from './literal.ts'

const style: LiteralStyle = {
  indent: '    ',
  space: '',
  text: (text) => JSON.stringify(text),
  key: (name) => JSON.stringify(name),
  constants: { true: 'True', false: 'False', null: 'None' },
  variable: (name) => `os.environ["${name}"]`,
}

/** The call as a program that needs only the standard library. The pages test runs it. */
export function pythonOf(call: ExampleCall): string {
  const { operation, bodyFile } = call
  const hasBody = call.body !== undefined || bodyFile !== undefined
  const answer = answersNothing(operation) ? 'response.status' : 'json.load(response)'
  const given = [
    addressIn(call),
    ...(operation.method === (hasBody ? 'POST' : 'GET') ? [] : [`method="${operation.method}"`]),
    ...headersOf(call, hasBody),
    ...(bodyFile === undefined ? [] : [`data=open("${bodyFile}", "rb").read()`]),
    ...(call.body === undefined ? [] : [`data=json.dumps(${literal(call.body, style, 1)}).encode()`]),
  ]
  return [
    ...(hasBody || !answersNothing(operation) ? ['import json'] : []),
    ...(variablesOf(call).length > 0 ? ['import os'] : []),
    'import urllib.request',
    '',
    `request = urllib.request.Request(\n${given.map((one) => `    ${one},\n`).join('')})`,
    'with urllib.request.urlopen(request) as response:',
    `    print(${answer})`,
  ].join('\n')
}

function addressIn(call: ExampleCall): string {
  const address = addressOf(call, (name) => `{os.environ['${name}']}`)
  return `${address.includes('{') ? 'f' : ''}"${address}"`
}

function headersOf({ credential, idempotencyKey }: ExampleCall, hasBody: boolean): string[] {
  const headers = [
    ...(credential ? [`"Authorization": f"Bearer {os.environ['${credential}']}"`] : []),
    ...(idempotencyKey === undefined ? [] : [`"Idempotency-Key": "${idempotencyKey}"`]),
    ...(hasBody ? ['"Content-Type": "application/json"'] : []),
  ]
  if (headers.length === 0) return []
  if (headers.length === 1) return [`headers={${headers[0]}}`]
  return [`headers={\n${headers.map((header) => `        ${header},\n`).join('')}    }`]
}
