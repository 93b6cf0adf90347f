import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Verification, verifyPost } from '../../clients/typescript/src/verify/index.ts'
import { closeAccount } from '../../src/accounts/deletion/close-account.ts'
import { kinds } from '../../src/kinds/index.ts'
import { canonicalJson } from '../../src/platform/canonical-json.ts'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
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
  verifyPost({ post, address: url })

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

  await using ownerPage = connect(service.database.urls.owner_page, { poolMax: 1, applicationName: 'test' })
  await inTransaction(ownerPage.db, (tx) => closeAccount(tx, { accountId: leaving.id, at: service.clock.now() }))
  await service.settle()

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
