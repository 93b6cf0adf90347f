import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { repoDir } from '../../../../tooling/services/state.ts'
import { renderHaproxy, renderNode } from './cluster.ts'

const deploy = (name: string) => join(repoDir, 'deploy/patroni', name)
const placeholder = /\{\{[a-z_0-9]+\}\}/g

/** True if the text is the template with something in the place of each placeholder. */
function isFilled(text: string, template: string): boolean {
  const escaped = template.split(placeholder).map((part) => RegExp.escape(part))
  return new RegExp(`^${escaped.join('[^\\n]+')}$`).test(text)
}

test('the chaos run starts its nodes from the files that are shipped', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-render-'))
  const node = renderNode(folder.path, 2)
  const files = { 'patroni.yml': join(node, 'patroni.yml'), etcd: join(node, 'etcd'), 'haproxy.cfg': '' }
  renderNode(folder.path, 1)
  files['haproxy.cfg'] = renderHaproxy(folder.path)
  for (const [name, path] of Object.entries(files)) {
    const text = readFileSync(path, 'utf8')
    assert.ok(isFilled(text, readFileSync(deploy(`${name}.template`), 'utf8')), name)
    assert.doesNotMatch(text, /\{\{/)
  }
})

test('Patroni holds its lock through API v2 of etcd, and only a synchronous standby is promoted', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-render-'))
  const node = renderNode(folder.path, 3)
  const text = readFileSync(join(node, 'patroni.yml'), 'utf8')
  const { etcd, bootstrap, ...rest } = parse(text)
  assert.equal(etcd.hosts.length, 3)
  assert.equal('etcd3' in rest, false)
  assert.match(readFileSync(join(node, 'etcd'), 'utf8'), /^ETCD_ENABLE_V2=true$/m)
  const { ttl, loop_wait, retry_timeout, synchronous_mode, synchronous_mode_strict } = bootstrap.dcs
  assert.deepEqual([synchronous_mode, synchronous_mode_strict], [true, true])
  assert.ok(loop_wait + 2 * retry_timeout <= ttl)
})

test('HAProxy follows the lock, and closes the sessions of a primary that does not respond', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-render-'))
  renderNode(folder.path, 1)
  const text = readFileSync(renderHaproxy(folder.path), 'utf8')
  assert.match(text, /option httpchk OPTIONS \/primary/)
  assert.match(text, /default-server .*on-marked-down shutdown-sessions/)
  assert.equal(text.match(/^ {2}server .* check port 8008$/gm)?.length, 3)
})

test('the check accepts the shipped configuration and names what would lose data', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-render-'))
  const file = join(renderNode(folder.path, 1), 'patroni.yml')
  const text = readFileSync(file, 'utf8')
  const check = (changed: string, version: string) => {
    writeFileSync(file, changed)
    const env = { ...process.env, PATRONI_VERSION: version }
    const { status, stdout } = spawnSync(deploy('check'), [file], { encoding: 'utf8', env })
    return { status, faults: stdout.match(/^fault {2}.*$/gm) ?? [] }
  }
  assert.deepEqual(check(text, '3.0.2'), { status: 0, faults: [] })
  const unsafe = text.replace(/^etcd:/m, 'etcd3:')
  assert.equal(check(unsafe, '3.3.2').status, 0)
  const broken = {
    'etcd3: with Patroni 3.0.2': unsafe,
    'synchronous_mode is not true': text.replace('synchronous_mode: true', 'synchronous_mode: false'),
    'synchronous_mode_strict is not true': text.replace('strict: true', 'strict: false'),
    'loop_wait 2 + 2 × retry_timeout 3 exceeds ttl 7': text.replace('ttl: 8', 'ttl: 7'),
  }
  for (const [says, changed] of Object.entries(broken)) {
    const { status, faults } = check(changed, '3.0.2')
    assert.deepEqual([status, faults.length, faults[0]?.includes(says)], [1, 1, true], says)
  }
})

test('render refuses a description without passwords and says which value is missing', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-render-'))
  const { status, stderr } = spawnSync(deploy('render'), [deploy('cluster.env.example'), 'node', '1', folder.path], {
    encoding: 'utf8',
  })
  assert.equal(status, 1)
  assert.match(stderr, /^cluster\.env: set [A-Z]+_PASSWORD /)
})
