import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { type Verification, verifyPost } from '../../clients/typescript/src/verify/index.ts'
import { closeAccount } from '../../src/accounts/deletion/close-account.ts'
import { kinds } from '../../src/kinds/index.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { canonicalJson } from '../../src/platform/canonical-json.ts'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { enqueuePostPages } from '../../src/posts/status/change-status.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

const [message] = kinds

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

async function publish(accountId: string) {
  assert(message)
  const id = await publishAsModel(service, { kind: message, accountId, changes: {} })
  await service.settle()
  const url = `${service.baseUrl}/p/${id}`
  const post = await (await fetch(`${url}.json`)).text()
  const proof = await (await fetch(`${url}.tlog-proof`)).text()
  return { id, url, post, proof }
}

const verify = ({ post, url }: { post: string; url: string }): Promise<Verification> =>
  verifyPost({ post, address: url, now: service.clock.now() })

async function close(accountId: string) {
  await using ownerPage = connect(service.database.urls.owner_page, { poolMax: 1, applicationName: 'test' })
  await inTransaction(ownerPage.db, (tx) => closeAccount(tx, { accountId, at: service.clock.now() }))
  await service.settle()
}

/** The delays in minutes after which posts of closed accounts are signed, by post. */
async function delays() {
  const rows = await service.asOwner<{ id: string; minutes: number }>(
    `select data ->> 'post_id' as id, extract(epoch from start_after - created_on)::float8 / 60 as minutes
     from pgboss.job_common where name = 'sign-anonymous-post' and state = 'created'`,
  )
  return new Map(rows.map(({ id, minutes }) => [id, minutes]))
}

/** Lets the delays pass. */
async function signAnonymousPosts() {
  await service.asOwner(
    "update pgboss.job_common set start_after = now() where name = 'sign-anonymous-post' and state = 'created'",
  )
  await service.settle()
}

/** Every published file of the log: checkpoints, full and partial tiles, and bundles that have been replaced since. */
async function publishedFiles(): Promise<string> {
  const files = await Array.fromAsync(glob('log/**', { cwd: service.pagesDirectory, withFileTypes: true }))
  const contents = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name))
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
    })
  assert(contents.length > 5)
  return (await Promise.all(contents)).join('\n')
}

/** All entries of the published log, from its tiles. */
async function publishedEntries(): Promise<string> {
  const note = await (await fetch(`${service.baseUrl}/log/checkpoint`)).text()
  const size = Number(note.split('\n')[1])
  assert(size < 256)
  const response = await fetch(`${service.baseUrl}/log/tile/entries/000.p/${size}`)
  return Buffer.from(await response.arrayBuffer()).toString('latin1')
}

const saltIn = (proof: string) => Buffer.from(/^extra (\S+)$/m.exec(proof)?.[1] ?? '', 'base64')

/** A dump of everything that the database has, as text. */
const dump = () =>
  asAdministrator(service.database.adminUrl, async (admin) => {
    const { rows } = await admin.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')",
    )
    const texts: string[] = []
    for (const { name } of rows) {
      const all = await admin.query<{ line: string }>(`select t::text as line from ${name} t`)
      texts.push(...all.rows.map(({ line }) => line))
    }
    return texts.join('\n')
  })

test('after an account is deleted, nothing in the log leads to it, and other proofs stay valid', async () => {
  const leaving = await service.createAccount()
  const staying = await service.createAccount()
  const [kept, own] = [await publish(staying.id), await publish(leaving.id)]
  assert((await verify(kept)).isVerified && (await verify(own)).isVerified)
  const salt = saltIn(own.proof)
  assert((await dump()).includes(salt.toString('hex')), 'the salt is stored while the post names its author')

  await close(leaving.id)
  await signAnonymousPosts()

  const anonymous = await (await fetch(`${own.url}.json`)).text()
  assert.equal(JSON.parse(anonymous).author_id, null)
  assert((await verify({ ...own, post: anonymous })).isVerified, 'the version without the author is signed and logged')
  assert((await verify(kept)).isVerified, 'the proof of another author is still valid')
  const old = await verify(own)
  assert(!old.isVerified, 'the version with the author has no proof any more')

  // In the log, only a salted hash of the version with the author is left. The salt is nowhere.
  const everything = await dump()
  for (const form of ['hex', 'base64', 'base64url'] as const)
    assert(!everything.includes(salt.toString(form)), `the salt is not in the database (${form})`)
  const entries = await publishedEntries()
  for (const text of [leaving.id, own.id, salt.toString('base64')])
    assert(!entries.includes(text), `${text} is not in the tiles`)
  const withoutSalt = createHash('sha256')
    .update(canonicalJson(JSON.parse(own.post)))
    .digest('base64url')
  assert(!entries.includes(withoutSalt))
})

test('the posts of a closed account are signed again one by one, each with the time of its publication', async () => {
  const leaving = await service.createAccount()
  const staying = await service.createAccount()
  const kept = await publish(staying.id)
  const posts: Awaited<ReturnType<typeof publish>>[] = []
  for (let count = 0; count < 4; count += 1) {
    service.clock.setOffset((count + 1) * 5_400_000)
    posts.push(await publish(leaving.id))
  }
  const removed = await publish(leaving.id)
  await service.asOperator((tx, sites) =>
    removePost(tx, sites, { postId: removed.id, category: 'spam', at: service.clock.now(), actor: 'operator:test' }),
  )
  await service.settle()
  const { body } = await leaving.client.getPost(removed.id)
  assert('removal' in body && body.removal?.log_entry)
  const salts = [...posts.map(({ proof }) => saltIn(proof)), Buffer.from(body.removal.log_entry.salt, 'base64url')]
  service.clock.setOffset(5 * 5_400_000)
  const closedAt = service.clock.now().toISOString()
  await close(leaving.id)

  const jsonOf = async ({ url }: { url: string }) => JSON.parse(await (await fetch(`${url}.json`)).text())
  for (const post of posts) {
    const { author_id, signature } = await jsonOf(post)
    assert.deepEqual([author_id, signature], [null, null], 'no author and no signature while it waits')
    assert.equal((await fetch(`${post.url}.tlog-proof`)).status, 404)
  }
  const waits = await delays()
  assert.deepEqual([...waits.keys()].sort(), posts.map(({ id }) => id).sort())
  assert.equal(new Set(waits.values()).size, posts.length, 'each has its own random delay')
  assert([...waits.values()].every((minutes) => minutes >= 0 && minutes <= 24 * 60))

  const [first, ...others] = posts
  assert(first)
  await service.asOwner(
    `update pgboss.job_common set start_after = now() where name = 'sign-anonymous-post' and data ->> 'post_id' = $1`,
    [first.id],
  )
  await service.settle()
  assert((await jsonOf(first)).signature)
  for (const post of others) {
    assert.equal((await jsonOf(post)).signature, null, 'the others still wait')
    // Its files can be written again for other reasons.
    await service.asWorker((tx) => enqueuePostPages(tx, post.id))
  }
  await service.settle()
  assert.equal((await delays()).size, others.length, 'each waits once')
  await signAnonymousPosts()

  for (const post of posts) {
    const { published_at, signature } = await jsonOf(post)
    assert.equal(signature.created_at, published_at, 'the time of its publication')
    assert(signature.created_at < closedAt)
    assert((await verify({ ...post, post: JSON.stringify(await jsonOf(post)) })).isVerified)
    assert(!(await verify(post)).isVerified, 'the version with the author has no proof any more')
  }
  assert((await verify(kept)).isVerified, 'the proof of another author is still valid')

  const [everything, files] = [await dump(), await publishedFiles()]
  for (const salt of salts)
    for (const form of ['hex', 'base64', 'base64url', 'latin1'] as const) {
      assert(!everything.includes(salt.toString(form)), `no salt is in the database (${form})`)
      assert(!files.includes(salt.toString(form)), `no salt is in the files of the log (${form})`)
    }
  for (const text of [leaving.id, ...posts.map(({ id }) => id), removed.id, closedAt])
    assert(!files.includes(text), `${text} is not in the files of the log`)
})

test('a deleted post takes its proof with it, and the log says that it is gone', async () => {
  const author = await service.createAccount()
  const post = await publish(author.id)
  const index = /^index (\d+)$/m.exec(post.proof)?.[1]
  const headers = { authorization: `Bearer ${author.api_key}` }
  const deleted = await fetch(`${service.baseUrl}/v1/posts/${post.id}`, { method: 'DELETE', headers })
  assert.equal(deleted.status, 200)
  await service.settle()
  assert.equal((await fetch(`${post.url}.tlog-proof`)).status, 410)
  assert((await publishedEntries()).includes(`{"i":${index},"t":"removed","v":1}`))
  assert(!(await dump()).includes(saltIn(post.proof).toString('hex')))
})
