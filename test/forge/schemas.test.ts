import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parse } from 'yaml'
import { repoDir } from '../../tooling/services/state.ts'
import { read, tracked } from '../support/repository.ts'

type Form = { labels: string[]; body: { id?: string; attributes: { label?: string; options?: unknown[] } }[] }
type Update = { 'package-ecosystem': string; directory?: string; directories?: string[]; groups?: object }
type Devcontainer = { image: string; postCreateCommand: string; forwardPorts: number[]; portsAttributes: object }

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictTypes: false, strictRequired: false })
const validators = Object.fromEntries(
  ['dependabot', 'issue-form', 'issue-config', 'devcontainer'].map((name) => [
    name,
    ajv.compile(JSON.parse(read(`test/forge/schemas/${name}.schema.json`))),
  ]),
)

function faultsOf(schema: string, text: string): string[] {
  const check = validators[schema]
  assert.ok(check)
  check(parse(text))
  return (check.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, JSON.stringify(params)].join(' '),
  )
}

const forms = tracked.filter((path) => /^\.github\/ISSUE_TEMPLATE\/(?!config).*\.yml$/.test(path))
const schemas: Record<string, string> = {
  '.github/dependabot.yml': 'dependabot',
  '.github/ISSUE_TEMPLATE/config.yml': 'issue-config',
  '.devcontainer/devcontainer.json': 'devcontainer',
  ...Object.fromEntries(forms.map((path) => [path, 'issue-form'])),
}

test('Dependabot, issue forms and dev container follow their schemas', () => {
  assert.ok(forms.length >= 3)
  for (const [path, schema] of Object.entries(schemas)) assert.deepEqual(faultsOf(schema, read(path)), [], path)
})

/** Each fault replaces the first text by the second in a correct file. */
const faults: readonly (readonly [path: string, from: string, to: string, message: RegExp])[] = [
  ['.github/dependabot.yml', 'version: 2', 'version: 1', /\/version must be equal to constant/],
  ['.github/dependabot.yml', 'package-ecosystem: npm', 'package-ecosystem: nmp', /package-ecosystem must be equal/],
  ['.github/dependabot.yml', 'interval: weekly', 'interval: hourly', /interval must be equal/],
  ['.github/dependabot.yml', 'directory: /', 'directry: /', /directry/],
  ['.github/dependabot.yml', 'update-types: [minor, patch]', 'update-types: [small]', /update-types\/0 must be equal/],
  ['.github/dependabot.yml', 'default-days: 7', 'default-days: a week', /default-days must be integer/],
  ['.github/ISSUE_TEMPLATE/bug.yml', 'description:', 'descripton:', /descripton/],
  ['.github/ISSUE_TEMPLATE/bug.yml', 'type: textarea', 'type: textbox', /type must be equal/],
  ['.github/ISSUE_TEMPLATE/bug.yml', 'id: happened', 'id: what happened', /id must match pattern/],
  ['.github/ISSUE_TEMPLATE/bug.yml', 'id: happened', 'name: happened', /must have required property 'id'/],
  ['.github/ISSUE_TEMPLATE/bug.yml', 'required: true', 'required: yes please', /required must be boolean/],
  ['.github/ISSUE_TEMPLATE/bug.yml', '- JSON API', '- None', /options\/0 must NOT be valid/],
  ['.github/ISSUE_TEMPLATE/feature.yml', 'options:', 'choices:', /must have required property 'options'/],
  ['.github/ISSUE_TEMPLATE/config.yml', 'https://', 'http://', /url must match pattern/],
  ['.github/ISSUE_TEMPLATE/config.yml', 'about:', 'abut:', /must have required property 'about'/],
  ['.devcontainer/devcontainer.json', '"postCreateCommand"', '"postCreateComand"', /postCreateComand/],
  ['.devcontainer/devcontainer.json', '4007]', '400700]', /forwardPorts\/7 must be <= 65535/],
  ['.devcontainer/devcontainer.json', '"16gb"', '"a lot"', /memory must match pattern/],
]
for (const [path, from, to, message] of faults)
  test(`the schema refuses ${path} with ${to}`, () => {
    const text = read(path)
    assert.ok(text.includes(from))
    assert.match(faultsOf(schemas[path] ?? '', text.replace(from, to)).join('\n'), message)
  })

test('the fields of a form have different ids and labels', () => {
  for (const path of forms) {
    const { body } = parse(read(path)) as Form
    for (const names of [body.map(({ id }) => id), body.map(({ attributes }) => attributes.label)]) {
      const given = names.filter((name) => name !== undefined)
      assert.equal(new Set(given).size, given.length, path)
    }
  }
})

test('Dependabot watches everything that is pinned, in folders that exist', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as { updates: Update[] }
  const files: Record<string, RegExp> = {
    npm: /^package-lock\.json$/,
    pip: /^pyproject\.toml$/,
    docker: /^Dockerfile$/,
    'docker-compose': /^compose\.ya?ml$/,
    devcontainers: /^\.devcontainer\/devcontainer\.json$/,
    'github-actions': /^(?:\.github\/workflows\/.*\.yml|action\.yml)$/,
  }
  for (const { 'package-ecosystem': ecosystem, directory, directories = [directory ?? ''] } of updates)
    for (const folder of directories) {
      const prefix = folder === '/' ? '' : `${folder.slice(1)}/`
      const inside = tracked.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length))
      assert.ok(
        inside.some((path) => files[ecosystem]?.test(path)),
        `${ecosystem} has nothing to watch in ${folder}`,
      )
    }
  assert.deepEqual(updates.map((update) => update['package-ecosystem']).sort(), Object.keys(files).sort())
})

test('the dev container has the Node of package.json, and runs what a contributor runs', () => {
  const container = JSON.parse(read('.devcontainer/devcontainer.json')) as Devcontainer
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> }
  assert.equal(container.image, `node:${dependencies['node']}-bookworm`)
  assert.match(container.postCreateCommand, /scripts\/setup && .*npm ci$/)
  assert.ok(existsSync(join(repoDir, 'scripts/setup')))
  assert.deepEqual(container.forwardPorts.map(String), Object.keys(container.portsAttributes))
  for (const port of container.forwardPorts)
    assert.match(
      read('ARCHITECTURE.md'),
      new RegExp(`(?:^\\| |· )${port}\\b`, 'm'),
      `${port} is not in the table of ports`,
    )
})
