import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Verification, verifyPost } from '../../clients/typescript/src/verify/index.ts'
import { closeAccount } from '../../src/accounts/deletion/close-account.ts'
import { kinds } from '../../src/kinds/index.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
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
  verifyPost({ post, address: url, now: service.clock.now() })

async function close(accountId: string) {
  await using ownerPage = connect(service.database.urls.owner_page, { poolMax: 1, applicationName: 'test' })
  await inTransaction(ownerPage.db, (tx) => closeAccount(tx, { accountId, at: service.clock.now() }))
  await service.settle()
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

test('after an account is deleted, its posts keep their signatures and proofs, and nothing in the log leads to it', async () => {
  const leaving = await service.createAccount()
  const [removed, own] = [await publish(leaving.id), await publish(leaving.id)]
  await service.asOperator((tx, sites) =>
    removePost(tx, sites, { postId: removed.id, category: 'spam', at: service.clock.now(), actor: 'operator:test' }),
  )
  await service.settle()
  const { body } = await leaving.client.getPost(removed.id)
  assert('removal' in body && body.removal?.log_entry)
  const salts = [saltIn(removed.proof), Buffer.from(body.removal.log_entry.salt, 'base64url')]
  await close(leaving.id)

  const anonymous = await (await fetch(`${own.url}.json`)).text()
  const [before, after] = [JSON.parse(own.post), JSON.parse(anonymous)]
  assert.deepEqual([after.author_id, after.content.author.name], [null, 'Deleted account'])
  assert.deepEqual(after.signature, before.signature)
  assert.equal(await (await fetch(`${own.url}.tlog-proof`)).text(), own.proof)
  assert((await verify({ ...own, post: anonymous })).isVerified)

  const [everything, entries] = [await dump(), await publishedEntries()]
  for (const salt of salts)
    for (const form of ['hex', 'base64', 'base64url', 'latin1'] as const)
      assert(!everything.includes(salt.toString(form)), `no salt of what is gone is in the database (${form})`)
  for (const text of [leaving.id, own.id, removed.id, saltIn(own.proof).toString('base64')])
    assert(!entries.includes(text), `${text} is not in the tiles`)
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
