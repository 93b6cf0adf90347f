import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempDisposableSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, parseAllDocuments } from 'yaml'
import { databaseRoles } from '../../src/platform/database/database-setup.ts'
import { readSettings, type SettingName } from '../../src/platform/settings/settings.ts'
import { repoDir } from '../../tooling/services/state.ts'

const deploy = join(repoDir, 'deploy')

test('make-secrets writes every secret of the compose file, each with a valid value, and keeps them when repeated', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-secrets-'))
  const make = () =>
    execFileSync(join(deploy, 'container/make-secrets'), [folder.path, 'db.example'], { stdio: 'pipe' })
  const read = () =>
    Object.fromEntries(readdirSync(folder.path).map((name) => [name, readFileSync(join(folder.path, name), 'utf8')]))
  make()
  const written = read()
  const { secrets } = parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8')) as { secrets: Record<string, object> }
  assert.deepEqual(Object.keys(written).sort(), Object.keys(secrets).sort())
  const { POSTGRES_PASSWORD: _, ...own } = written
  assert.doesNotThrow(() => readSettings(own, Object.keys(own) as SettingName[]))
  for (const role of databaseRoles) {
    const { username, hostname } = new URL(written[`${role.toUpperCase()}_DATABASE_URL`] ?? '')
    assert.deepEqual([username, hostname], [`broadside_${role}`, 'db.example'])
  }
  make()
  assert.deepEqual(read(), written)
})

test('the commands for Kubernetes create the secrets that the manifests refer to, with all their keys', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-kubernetes-'))
  symlinkSync(deploy, join(folder.path, 'deploy'))
  const readme = readFileSync(join(deploy, 'kubernetes/README.md'), 'utf8')
  const steps = [...readme.matchAll(/^( *)```sh\n([\s\S]*?)^ *```$/gm)].map(([, , commands = '']) => commands)
  const commands = steps.find((step) => step.includes('make-secrets')) ?? ''
  // Instead of kubectl, a function that prints its arguments and reads each file that they name.
  const kubectl = `kubectl() {
  printf '%s\\n' "$*"
  for word; do case $word in --from-file=*) test -s "\${word#--from-file=}" || exit 1 ;; esac; done
}`
  writeFileSync(join(folder.path, 'steps'), `set -eu\n${kubectl}\n${commands}`)
  const output = execFileSync('sh', ['steps'], { cwd: folder.path, encoding: 'utf8' })
  const created = Object.fromEntries(
    [...output.matchAll(/create secret generic (\S+) (.*)$/gm)].map(([, name, files = '']) => [
      name,
      [...files.matchAll(/secrets\/(\w+)/g)].map(([, key]) => key).sort(),
    ]),
  )
  assert.deepEqual(created, referredKeys())
})

/** The keys of each Secret that a manifest mounts, except the certificate, which another command creates. */
function referredKeys(): Record<string, string[]> {
  const keys: Record<string, Set<string>> = {}
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { name, secretName, items } = value as { name?: string; secretName?: string; items?: { key: string }[] }
    const secret = secretName ?? name
    if (secret?.startsWith('broadside-') && Array.isArray(items)) {
      keys[secret] ??= new Set()
      for (const { key } of items) keys[secret].add(key)
    }
    for (const inner of Object.values(value)) visit(inner)
  }
  const folder = join(deploy, 'kubernetes')
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.yaml')))
    for (const document of parseAllDocuments(readFileSync(join(folder, file), 'utf8'))) visit(document.toJS())
  return Object.fromEntries(Object.entries(keys).map(([name, all]) => [name, [...all].sort()]))
}
