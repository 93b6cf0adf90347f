import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exitCodeOf } from '../../clients/typescript/src/cli/command-table.ts'
import { exitOf } from '../../clients/typescript/src/cli/errors.ts'
import { parseCommandLine } from '../../clients/typescript/src/cli/parse.ts'
import { bodyOptions } from '../../src/contract/command-line/body-options.ts'
import { commands, globalOptions, kindsWithCity } from '../../src/contract/command-line/commands.ts'
import { exitCodes } from '../../src/contract/command-line/exit-codes.ts'
import { starterAgents } from '../../src/contract/command-line/starter-agents.ts'
import { Problem, problemDocument } from '../../src/contract/problems/problem.ts'
import { type ProblemCode, problems } from '../../src/contract/problems/problems.ts'
import { kinds } from '../../src/kinds/index.ts'
import { postStatuses } from '../../src/posts/status/lifecycle.ts'
import { read } from '../support/repository.ts'

const kindNames = kinds.map(({ name }) => name)
const command = (name: string) => commands.find((one) => one.name === name)
const optionOf = (name: string, option: string) => command(name)?.options.find((one) => one.name === option)

test('the command line knows every kind and every status', () => {
  for (const name of ['post', 'check']) assert.deepEqual(command(name)?.arguments[0]?.values, kindNames)
  for (const name of ['mine', 'search']) assert.deepEqual(optionOf(name, 'kind')?.values, kindNames)
  assert.deepEqual(optionOf('stream', 'kind')?.values, [...kindNames, 'all'])
  assert.deepEqual([...(optionOf('mine', 'status')?.values ?? [])].sort(), [...postStatuses].sort())
})

test('every field of every kind has an option, and every option a field', () => {
  const fields = new Set(kinds.flatMap(({ body }) => Object.keys((body as never as { shape: object }).shape)))
  assert.deepEqual(new Set(bodyOptions.map(({ field }) => field)), fields)
})

test('--place leaves out the city for kinds that take none', () => {
  const location = { country: 'PT', state: 'PT-11', city: { geonames_id: 2267057, name: 'Lisbon' } }
  const takesCity = kinds.filter(({ body, examples }) => body.safeParse({ ...examples[0], location }).success)
  assert.deepEqual(
    takesCity.map(({ name }) => name),
    kindsWithCity,
  )
})

test('every example of the help can be parsed', () => {
  for (const { name, examples } of commands) {
    assert.ok(examples.length > 0, name)
    for (const example of examples) {
      const [, line = ''] = /(?:^|\| )broadside ((?:"[^"]*"|[^|<>"])*)/.exec(example) ?? []
      const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      const parsed = parseCommandLine(words)
      assert.ok('command' in parsed && parsed.command.name === name, example)
    }
  }
})

test('global options work before and after the command, and -- ends the options', () => {
  for (const words of [
    ['--json', '--url', 'https://m.example', 'mine'],
    ['mine', '--url=https://m.example', '--json'],
  ]) {
    const parsed = parseCommandLine(words)
    assert.ok('command' in parsed)
    assert.deepEqual([parsed.options['json'], parsed.options['url']], [true, 'https://m.example'])
  }
  const parsed = parseCommandLine(['search', '--', '--text'])
  assert.ok('command' in parsed)
  assert.deepEqual(parsed.args, ['--text'])
  assert.ok('help' in parseCommandLine([]))
  assert.ok('version' in parseCommandLine(['--version']))
})

test('option names are unique in a command, and no command redefines a global option', () => {
  for (const { name, options } of commands) {
    const names = [...options, ...globalOptions].flatMap((option) => [option.name, option.short ?? []].flat())
    assert.equal(new Set(names).size, names.length, name)
  }
})

test('every problem has an exit code by who must act and what happened', () => {
  const exit = (code: ProblemCode) => {
    const { status, ...document } = problemDocument(new Problem(code, 'D'), {
      baseUrl: 'https://m.example',
      requestId: 'a',
    })
    return exitCodeOf(exitOf({ status, document: { for_human: 'for_human' in document } }))
  }
  const known = new Set<number>(exitCodes.map(({ code }) => code))
  for (const code of Object.keys(problems) as ProblemCode[]) assert.ok(known.has(exit(code)) && exit(code) > 1, code)
  const some: [ProblemCode, number][] = [
    ['validation_failed', 3],
    ['invalid_api_key', 4],
    ['insufficient_balance', 5],
    ['email_unverified', 5],
    ['post_not_found', 6],
    ['post_gone', 6],
    ['rate_limited', 7],
    ['unavailable', 8],
  ]
  assert.deepEqual(
    some.map(([code]) => [code, exit(code)]),
    some,
  )
})

test('the agents to start from are short, and read the settings that the clients read', () => {
  for (const files of Object.values(starterAgents)) {
    const source = Object.entries(files).find(([name]) => name.startsWith('agent.'))
    assert.ok(source && source[1].split('\n').length <= 60)
    assert.match(files['.env.example'], /^BROADSIDE_URL=\{url\}\nBROADSIDE_API_KEY=\n$/)
    assert.match(files['.gitignore'], /^\.env$/m)
  }
})

test('the README of the package lists every command and every exit code', () => {
  const text = read('clients/typescript/README.md')
  const [, section = ''] = text.split('## Command line')
  for (const { name } of commands) assert.match(section, new RegExp(`^\\| .*\`${name}\\b`, 'm'))
  const rows = [...section.matchAll(/^\| (\d+) \| (.*) \|$/gm)].map(([, code, meaning]) => [Number(code), meaning])
  assert.deepEqual(
    rows,
    exitCodes.map(({ code, meaning }) => [code, meaning]),
  )
})
