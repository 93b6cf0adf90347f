import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { isProblem } from '../../clients/typescript/src/index.ts'
import { allowances } from '../../src/contract/limits.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedKey } from '../support/accounts/create-key.ts'
import { newSigner } from '../support/posts/signer.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service?.[Symbol.asyncDispose]())

test('an account registers, lists and removes its keys', async () => {
  const account = await service.createAccount()
  const { client } = account
  const [first, second] = [newSigner(), newSigner()]
  const registration = first.registration({ account_id: account.id, origin: service.baseUrl })
  const { status, body } = await client.createSigningKey({ ...registration, name: 'Night desk' })
  assert.equal(status, 201)
  const { key_id, public_key, name } = body
  assert.deepEqual([key_id, public_key, name], [first.key_id, first.public_key, 'Night desk'])
  const { body: unnamed } = await second.register(service, account)
  assert.equal(unnamed.name, null)
  assert.deepEqual((await client.listSigningKeys()).body, { data: [body, unnamed], next_cursor: null })
  assert.equal((await client.deleteSigningKey(key_id)).status, 204)
  await assert.rejects(client.deleteSigningKey(key_id), (error) => isProblem(error, 'signing_key_not_found'))
  assert.deepEqual((await client.listSigningKeys()).body.data, [unnamed])
})

test('another account sees and removes none of them, and cannot register the same key', async () => {
  const [one, other] = [await service.createAccount(), await service.createAccount()]
  const signer = newSigner()
  await signer.register(service, one)
  assert.deepEqual((await other.client.listSigningKeys()).body.data, [])
  await assert.rejects(other.client.deleteSigningKey(signer.key_id), (error) =>
    isProblem(error, 'signing_key_not_found'),
  )
  for (const account of [one, other])
    assert.match(await refusal(signer.register(service, account)), /already registered.*A key belongs to one account/)
})

test('an account has at most ten keys, even if it registers many at once', async () => {
  const account = await service.createAccount()
  const { client } = account
  const tries = await Promise.allSettled(Array.from({ length: 14 }, () => newSigner().register(service, account)))
  const refused = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  assert.equal(refused.length, 4)
  for (const error of refused) assert.ok(isProblem(error, 'too_many_signing_keys'), String(error))
  assert.equal((await client.listSigningKeys()).body.data.length, 10)
})

test('an account registers at most 20 keys a day, because each one is emailed to the owner', async () => {
  const account = await service.createAccount()
  const register = async () => {
    const signer = newSigner()
    await signer.register(service, account)
    return account.client.deleteSigningKey(signer.key_id)
  }
  const { max } = allowances['signing-keys-per-account']
  for (let count = 0; count < max; count += 1) await register()
  await assert.rejects(register(), (error) => isProblem(error, 'rate_limited'))
})

const written = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')

test('a key with which others could sign, or that is no key, is refused with the reason', async () => {
  const { client } = await service.createAccount()
  const cases: [string, RegExp][] = [
    [written(`01${'00'.repeat(31)}`), /small order/],
    [written('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85'), /small order/],
    [written(`ee${'ff'.repeat(30)}7f`), /canonical/],
    [written(`02${'00'.repeat(31)}`), /not a point of the curve/],
    ['JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs', /published test key/],
    ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', /published test key/],
    // Spare bits that are not zero.
    [`${newSigner().public_key.slice(0, -1)}B`, /base64url/],
    [`${newSigner().public_key}=`, /43 characters/],
    ['', /43 characters/],
  ]
  const proof = 'A'.repeat(86)
  for (const [public_key, says] of cases)
    assert.match(await refusal(client.createSigningKey({ public_key, proof })), says)
  assert.deepEqual((await client.listSigningKeys()).body.data, [])
})

test('changing the keys needs the scope account, and reading them does not', async () => {
  const account = await service.createAccount()
  const key = await seedKey(service, { accountId: account.id, slot: 2, scopes: ['read', 'publish'] })
  const client = service.client(key.apiKey)
  const signer = newSigner()
  await assert.rejects(signer.register(service, { id: account.id, client }), (error) =>
    isProblem(error, 'insufficient_scope'),
  )
  await signer.register(service, account)
  await assert.rejects(client.deleteSigningKey(signer.key_id), (error) => isProblem(error, 'insufficient_scope'))
  assert.equal((await client.listSigningKeys()).body.data.length, 1)
})

test('the owner is told about a new key', async () => {
  const account = await service.createAccount()
  const signer = newSigner()
  await signer.register(service, account)
  const jobs = await service.asOwner<{ subject: string }>(
    `select data->>'subject' as subject from pgboss.job_common where name = 'tell-owner' and data->>'about' = 'signing_key_added' and data->>'account_id' = $1`,
    [account.id],
  )
  assert.deepEqual(jobs, [{ subject: signer.key_id }])
})

test('a key is registered only with a proof, signed with it, of this account, this address and this purpose', async () => {
  const [{ id, client }, other] = [await service.createAccount(), await service.createAccount()]
  const [signer, stranger] = [newSigner(), newSigner()]
  const of = { account_id: id, origin: service.baseUrl }
  const { public_key, proof } = signer.registration(of)
  const forged = [
    signer.registration(of, { account_id: other.id }).proof,
    signer.registration(of, { origin: 'https://mirror.example' }).proof,
    signer.registration(of, { purpose: 'posts' }).proof,
    signer.registration(of, { public_key: stranger.public_key }).proof,
    stranger.registration(of, { public_key }).proof,
    'A'.repeat(86),
    `${proof.slice(0, -1)}B`,
  ]
  for (const one of forged) {
    const says = await refusal(client.createSigningKey({ public_key, proof: one }), '#/proof')
    const bytes = Buffer.from(
      `{"account_id":"${id}","origin":"${service.baseUrl}","public_key":"${public_key}","purpose":"author-key"}`,
    )
    const hash = createHash('sha256').update(bytes).digest('hex')
    assert.ok(says.includes(`the origin ${service.baseUrl}.`), says)
    assert.ok(says.endsWith(`${bytes.length} bytes with the SHA-256 ${hash}`), says)
  }
  await refusal(client.createSigningKey({ public_key } as { public_key: string; proof: string }), '#/proof')
  assert.deepEqual((await client.listSigningKeys()).body.data, [])
  assert.equal((await client.createSigningKey({ public_key, proof })).status, 201)
})

/** What the error about this field says. */
async function refusal(call: Promise<unknown>, pointer = '#/public_key'): Promise<string> {
  const error = await call.then(
    () => assert.fail('it was accepted'),
    (thrown) => thrown,
  )
  assert.ok(isProblem(error, 'validation_failed'), String(error))
  const [fault] = error.document.errors ?? []
  assert.equal(fault?.pointer, pointer)
  return fault.detail
}
