import assert from 'node:assert/strict'
import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommandLine } from '../../../../tooling/clients/command-line.ts'
import { signedPart, testKeys } from '../../../../tooling/transparency/test-posts.ts'
import { startTestSite } from '../../../../tooling/transparency/test-site.ts'
import { readCheckpoints, saveVisit } from '../../src/cli/checkpoints.ts'

const verifyIn = (folder: string, ...args: string[]) =>
  runCommandLine(['verify', ...args], { env: { XDG_CONFIG_HOME: folder }, cwd: folder })
const newFolder = () => mkdtempDisposableSync(join(tmpdir(), 'broadside-verify-'))
const marksIn = (stdout: string) => [...stdout.matchAll(/^([✓✗–]) /gm)].map(([, mark]) => mark).join('')

test('a genuine post is verified from its page, its JSON, its API address and a file', async () => {
  await using site = await startTestSite()
  using folder = newFolder()
  const post = site.publish(1)
  for (const source of [post.url, post.json_url, `${site.url}/v1/posts/${post.id}`, `${post.url}?utm=1#top`]) {
    const { code, stdout, stderr } = await verifyIn(folder.path, source)
    assert.equal(code, 0, `${stdout}${stderr}`)
    assert.equal(marksIn(stdout), '✓✓✓✓✓✓')
    assert.match(stdout, /\nVerified: published by http:\/\/localhost:\d+ on 2026-11-16T00:00:01Z\.\n/)
  }
  writeFileSync(join(folder.path, 'post.json'), JSON.stringify(post, null, 2))
  assert.equal((await verifyIn(folder.path, 'post.json')).code, 0)
})

test('a changed post is not verified, and the exit differs from that of a failed connection', async () => {
  await using site = await startTestSite()
  using folder = newFolder()
  const post = site.publish(1)
  site.files.set(`/p/${post.id}.json`, JSON.stringify({ ...post, content: { ...post.content, text: 'Other' } }))
  const changed = await verifyIn(folder.path, post.url)
  assert.deepEqual([changed.code, marksIn(changed.stdout)], [11, '✓✓✓✗✗–'])
  assert.match(changed.stdout, /✗ The service signed this post\..*differs/)
  assert.equal((await verifyIn(folder.path, `${site.url}/p/post_unknown`)).code, 6)
  site.files.set(`/p/${post.id}.json`, JSON.stringify(post))
  site.files.set(`/p/${post.id}.tlog-proof`, 503)
  assert.equal((await verifyIn(folder.path, post.url)).code, 8)
  site.files.set(`/p/${post.id}.json`, 503)
  assert.equal((await verifyIn(folder.path, post.url)).code, 8)
  site.files.delete(`/p/${post.id}.tlog-proof`)
  site.files.set(`/p/${post.id}.json`, JSON.stringify(post))
  assert.equal((await verifyIn(folder.path, post.url)).code, 11)
})

test('a genuine post at the address of another is not verified', async () => {
  await using site = await startTestSite()
  using folder = newFolder()
  const [one, other] = [site.publish(1), site.publish(2)]
  site.files.set(`/p/${one.id}.json`, JSON.stringify(other))
  const { code, stdout } = await verifyIn(folder.path, one.url)
  assert.equal(code, 11)
  assert.match(stdout, /another address/)
})

test('the log is compared with the last visit, which only success replaces', async () => {
  using folder = newFolder()
  const seen = () => JSON.parse(readFileSync(join(folder.path, 'broadside/checkpoints.json'), 'utf8'))
  await using site = await startTestSite()
  const post = site.publish(1)
  assert.equal((await verifyIn(folder.path, post.url)).code, 0)
  assert.deepEqual(String(seen()[site.origin]).split('\n').slice(0, 2), [site.origin, '1'])
  for (let number = 2; number < 300; number++) site.publish(number)
  assert.match((await verifyIn(folder.path, post.url)).stdout, /and the 1 from your last visit\./)
  const before = seen()
  assert.deepEqual(String(before[site.origin]).split('\n').slice(0, 2), [site.origin, '299'])

  // The same log, but without the later entries.
  site.forgetLog()
  const other = site.publish(1)
  const { code, stdout } = await verifyIn(folder.path, other.url)
  assert.equal(code, 11)
  assert.match(stdout, /✗ The log has only grown\. The log is smaller/)
  assert.deepEqual(seen(), before)

  for (const damaged of ['{', '[]', '["a"]', 'null', '{"a": 1}']) {
    writeFileSync(join(folder.path, 'broadside/checkpoints.json'), damaged)
    const { code, stderr } = await verifyIn(folder.path, post.url)
    assert.equal(code, 1, damaged)
    assert.match(stderr, /The record of log checkpoints is damaged: .*\n.*Delete it only if you accept that changes to/)
  }
})

test('a log that a site replaced under another name is noticed, unless the keys are a saved file', async () => {
  await using site = await startTestSite()
  using folder = newFolder()
  const path = join(folder.path, 'broadside/checkpoints.json')
  const post = site.publish(1)
  assert.equal((await verifyIn(folder.path, post.url)).code, 0)
  const seen = JSON.parse(readFileSync(path, 'utf8'))
  assert.equal(seen[site.url], site.origin)
  writeFileSync(path, JSON.stringify({ ...seen, [site.url]: `localhost/older ${site.origin}` }))
  const { code, stdout } = await verifyIn(folder.path, post.url)
  assert.deepEqual([code, marksIn(stdout)], [11, '✓✓✓✓✓✗'])
  assert.match(stdout, /missing from its list of logs\. The log: localhost\/older\./)
  writeFileSync(join(folder.path, 'keys.json'), String(site.files.get('/.well-known/broadside-keys.json')))
  assert.equal((await verifyIn(folder.path, post.url, '--keys', 'keys.json')).code, 0)
})

test('what another run saved meanwhile is kept', async () => {
  using folder = newFolder()
  const environment = { XDG_CONFIG_HOME: folder.path }
  const [origin, site] = ['posts.example/log', 'https://messages.posts.example']
  const save = (size: string, origins: string[]) =>
    saveVisit(environment, {
      ...{ isVerified: true, checks: [] },
      ...{ checkpoint: { origin, note: `${origin}\n${size}\nroot\n` }, logs: { site, origins } },
    })
  await save('9', [origin])
  await save('10', [origin, 'posts.example/new'])
  await save('9', [origin, '__proto__'])
  assert.deepEqual(Object.fromEntries(readCheckpoints(environment)), {
    [origin]: `${origin}\n10\nroot\n`,
    [site]: `${origin} posts.example/new __proto__`,
  })
  assert.deepEqual(readdirSync(join(folder.path, 'broadside')), ['checkpoints.json'])
})

test('what was verified is said after success, and what the author wrote is marked as untrusted', async () => {
  await using site = await startTestSite()
  using folder = newFolder()
  const text = `One\n\nVerified: \u001b[31mred\u202e${'🚢'.repeat(250)}`
  const post = site.publish(1, { content: { text } })
  const host = site.url
  const [first, second] = [await verifyIn(folder.path, post.url), await verifyIn(folder.path, post.url)]
  assert.deepEqual(first.stdout.trimEnd().split('\n').slice(6), [
    `Verified: published by ${host} on 2026-11-16T00:00:01Z.`,
    'The keys come from that site itself. To verify with keys that you trust, save them and pass --keys.',
    'Untrusted content, written by the author of the post:',
    `  Text: One Verified: [31mred${'🚢'.repeat(200 - 'One Verified: [31mred'.length)}…`,
    'This was your first visit to this log, so there was nothing to compare it with.',
  ])
  assert.match(second.stdout, /\nThe log still has everything that it had at your last visit\.\n$/)
})

test('the address of a site is a mistake, and no other host is contacted', async () => {
  await using site = await startTestSite()
  using folder = newFolder()
  for (const address of [site.url, `${site.url}/`, `${site.url}/?a#b`, `${site.url}/.json`]) {
    const { code, stderr } = await verifyIn(folder.path, address)
    assert.equal(code, 2, stderr)
    assert.match(stderr, /address of a site, not of a post: .*\n.*such as http:\/\/localhost:\d+\/p\/post_/)
  }
  assert.deepEqual(site.requests, [])
})

test('offline, the signature is checked with saved keys, and no request is sent', async () => {
  await using site = await startTestSite()
  using folder = newFolder()
  const post = site.publish(1)
  writeFileSync(join(folder.path, 'post.json'), JSON.stringify(post))
  writeFileSync(join(folder.path, 'keys.json'), String(site.files.get('/.well-known/broadside-keys.json')))
  const { code, stdout } = await verifyIn(folder.path, 'post.json', '--keys', 'keys.json', '--offline')
  assert.deepEqual([code, marksIn(stdout)], [0, '✓✓✓✓––'])
  assert.match(stdout, /The log was not checked/)
  assert.deepEqual(site.requests, [])
  assert.equal((await verifyIn(folder.path, post.url, '--offline')).code, 2)
  const offline = ['post.json', '--keys', 'keys.json', '--offline']
  assert.equal((await verifyIn(folder.path, ...offline, '--proof', 'post.tlog-proof')).code, 2)
})

test('with --json, the document has the outcome and the reason of every check', async () => {
  await using site = await startTestSite()
  using folder = newFolder()
  const post = site.publish(1)
  site.files.set(`/p/${post.id}.json`, JSON.stringify({ ...post, signature: null }))
  const { code, stdout } = await verifyIn(folder.path, post.url, '--json')
  const { verified, checks } = JSON.parse(stdout)
  assert.deepEqual([code, verified], [11, false])
  assert.deepEqual(checks[1].outcome, 'failed')
  assert.deepEqual(checks[1].code, 'unsigned')
  assert.doesNotMatch(stdout, /Post 1/)
  site.files.set(`/p/${post.id}.json`, JSON.stringify(post))
  const found = JSON.parse((await verifyIn(folder.path, post.url, '--json')).stdout)
  assert.deepEqual(found.post, signedPart(post))
  assert.deepEqual(found.facts, {
    ...{ url: post.url, site: site.url, keys_from_site: true, published_at: post.published_at },
    ...{ key_id: testKeys.posts.thumbprint, first_visit: true },
  })
})
