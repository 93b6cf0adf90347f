import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import pg from 'pg'
import type { DatabaseRole } from '../../src/platform/database/database-setup.ts'
import { openStaff, type Staff } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedCases } from '../../tooling/fixtures/desk-cases.ts'

let service: Service
let member: Staff
let keys: string[]
before(async () => {
  service = await startService()
  member = await openStaff(service)
  keys = await seedCases(service, { reviews: 2, appeals: 1 })
})
after(() => service?.[Symbol.asyncDispose]())

const denied = '42501'
const refused = '23514'

/** Runs statements as a role in a transaction that is rolled back, and returns the error code if one was refused. */
async function tryAs(role: DatabaseRole, ...statements: string[]): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: service.database.urls[role] })
  await client.connect()
  try {
    await client.query('begin')
    for (const statement of statements) await client.query(statement)
    return undefined
  } catch (error) {
    return (error as pg.DatabaseError).code
  } finally {
    await client.query('rollback')
    await client.end()
  }
}

const postOf = (key: string) => key.split(':')[1]
const claim = (key: string, staffId = member.id) =>
  `insert into desk_claims values ('${key}', '${staffId}', '2026-11-15', '2026-11-16')`
const decide = (key: string, { verdict = 'publish', applied = 'null' } = {}) =>
  `insert into desk_decisions (case_key, case_kind, post_id, edit, account_id, staff_id, verdict, seconds, decided_at, due_at, applied_at, effect)
   select '${key}', split_part('${key}', ':', 1), id, 0, account_id, '${member.id}', '${verdict}', 1, '2026-11-15', '2026-11-15', ${applied},
     ${applied === 'null' ? 'null' : `'done'`} from posts where id = '${postOf(key)}'`
const sign = (key: string, actor: string) =>
  `insert into moderation_decisions (post_id, outcome, automated, actor, policy_version, decided_at)
   values ('${postOf(key)}', 'publish', false, '${actor}', '2026-11-15', '2026-11-15')`

suite('broadside_desk', () => {
  const forbidden: Record<string, string> = {
    'read the address of an owner': 'select email from accounts',
    'read the address of who reported': 'select contact_email from reports',
    'read a key': 'select hash from api_keys',
    'read a payment': 'select id from payments',
    'read a webhook': 'select url from webhooks',
    'change a post': "update posts set status = 'published'",
    'change an edit': "update post_edits set status = 'accepted'",
    'make a decision true': `insert into moderation_decisions (post_id, outcome, automated, actor, policy_version, decided_at) values ('post_01jcmzq8e5f7r9t2v4x6y8z0ab', 'publish', false, 'staff:x', 'v', '2026-11-15')`,
    'decide an appeal': "update appeals set outcome = 'upheld'",
    'close a report case': "update report_cases set outcome = 'dismissed'",
    'take a strike back': "select take_strike_back('acct_01jcmzq8e5f7r9t2v4x6y8z0ab', 3)",
    'add a strike': "select add_strike('acct_01jcmzq8e5f7r9t2v4x6y8z0ab', 3)",
    'move money': "insert into ledger_transfers (id) values ('txn_01jcmzq8e5f7r9t2v4x6y8z0ab')",
    announce: "insert into events (id) values ('evt_01jcmzq8e5f7r9t2v4x6y8z0ab')",
    'invite somebody': "insert into staff (id) values ('staff_01jcmzq8e5f7r9t2v4x6y8z0ab')",
    'mail a link': "insert into staff_links (asked_at) values ('2026-11-15')",
    'draw what is audited': 'insert into audit_samples (decision_id) values (1)',
    'rewrite a decision of the desk': "update desk_decisions set verdict = 'publish'",
    'sign the log as the operator':
      "insert into audit_log (at, actor, action) values ('2026-11-15', 'operator:x', 'y')",
    'rewrite the log': "update audit_log set actor = 'x'",
    'shorten the log': 'delete from audit_log',
    'write the chain': 'delete from audit_chain',
  }
  for (const [act, statement] of Object.entries(forbidden))
    test(`may not ${act}`, async () => assert.equal(await tryAs('desk', statement), denied))

  test('decides the cases it holds, once, with a verdict of their kind', async () => {
    const [key = '', , appeal = ''] = keys
    assert.equal(await tryAs('desk', claim(key), decide(key)), undefined)
    assert.equal(await tryAs('desk', decide(key)), refused, 'without a claim')
    assert.equal(
      await tryAs('desk', claim(key, (await openStaff(service)).id), decide(key)),
      refused,
      'another holds it',
    )
    assert.equal(await tryAs('desk', claim(key), decide(key), decide(key)), '23505', 'twice')
    assert.equal(await tryAs('desk', claim(key), decide(key, { verdict: 'keep' })), refused, 'no verdict of a review')
    assert.equal(await tryAs('desk', claim(key), decide(key, { applied: "'2026-11-15'" })), denied, 'as carried out')
    assert.equal(await tryAs('desk', claim(appeal), decide(appeal, { verdict: 'dismiss' })), undefined)
  })

  test('cannot undo an applied decision', async () => {
    const [, key = ''] = keys
    await service.asOwner(claim(key))
    await service.asOwner(decide(key, { applied: "'2026-11-15'" }))
    const client = new pg.Client({ connectionString: service.database.urls.desk })
    await client.connect()
    const { rowCount } = await client.query('delete from desk_decisions where case_key = $1', [key])
    await client.end()
    assert.equal(rowCount, 0)
  })
})

suite('broadside_worker', () => {
  test('signs only decisions that the member made, before they are applied', async () => {
    const [key = '', done = ''] = keys
    assert.equal(await tryAs('worker', sign(key, `staff:${member.id}`)), denied, 'nobody has decided it')
    assert.equal(await tryAs('worker', sign(done, `staff:${member.id}`)), denied, 'it was carried out')
    await service.asOwner(claim(key))
    await service.asOwner(decide(key))
    assert.equal(await tryAs('worker', sign(key, `staff:${(await openStaff(service)).id}`)), denied, 'another has')
    assert.equal(await tryAs('worker', sign(key, 'operator:root')), denied)
    assert.equal(await tryAs('worker', sign(key, `staff:${member.id}`)), undefined)
    assert.equal(await tryAs('worker', decide(key)), denied, 'it decides nothing itself')
    assert.equal(await tryAs('worker', "update appeals set outcome = 'upheld', decided_at = '2026-11-15'"), denied)
  })
})
