import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import pg from 'pg'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import type { DatabaseRole } from '../../src/platform/database/database-setup.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { denied, tryStatement } from '../support/database/try-statement.ts'
import { seedPost } from '../support/posts/create-post.ts'

let service: Service
let accountId: string
let postId: string
before(async () => {
  service = await startService()
  accountId = (await service.createAccount()).id
  await service.credit(accountId, 1_000_000)
  postId = await seedPost(service, kinds[0] as Kind, { accountId, status: 'published' })
  await service.asOwner('delete from moderation_decisions where post_id = $1', [postId])
  await service.asOwner(
    "insert into post_edits (post_id, number, status, facets, submitted_at) values ($1, 1, 'queued', '{}', $2)",
    [postId, service.clock.now()],
  )
  await service.asOwner(
    `insert into deliveries (webhook_id, event_id, type, status, queue, created_at)
     values ('wh_01jcmzq8e5f7r9t2v4x6y8z0ab', 'evt_01jcmzq8e5f7r9t2v4x6y8z0cd', 'post.published', 'failed', 'first', $1)`,
    [service.clock.now()],
  )
  await service.asOwner(
    `insert into payments (id, account_id, cause, provider, amount_micros, created_at)
     values ('pay_01jcmzq8e5f7r9t2v4x6y8z0ab', $1, 'top_up', 'manual', 5000000, $2)`,
    [accountId, service.clock.now()],
  )
  await service.asOwner("insert into appeals (post_id, account_id, message, submitted_at) values ($1, $2, 'm', $3)", [
    await seedPost(service, kinds[0] as Kind, { accountId, status: 'rejected' }),
    accountId,
    service.clock.now(),
  ])
})
after(() => service[Symbol.asyncDispose]())

const tryAs = (role: DatabaseRole, sql: string) =>
  tryStatement(service.database.urls[role], sql.replaceAll('$account', `'${accountId}'`))

const applicationRoles = ['api', 'worker', 'owner_page', 'operator', 'reader', 'backup'] as const

for (const role of applicationRoles)
  suite(`broadside_${role}`, () => {
    const statements = {
      'create a table': 'create table t (a int)',
      'create a temporary table': 'create temporary table t (a int)',
      'create a schema': 'create schema s',
      'create a function': "create function f() returns int language sql as 'select 1'",
      'create a role': 'create role r',
      'create a large object': 'select lo_create(0)',
      'drop a table': 'drop table ledger_transfers',
      'alter a table': 'alter table accounts add column c int',
      'drop the guard of a balance': 'alter table balances drop constraint prepaid_never_negative',
      'switch the ledger’s trigger off': 'alter table ledger_transfers disable trigger keep_balance',
      'truncate the ledger': 'truncate ledger_transfers',
      'update a ledger entry': 'update ledger_transfers set amount_micros = 1',
      'delete a ledger entry': 'delete from ledger_transfers',
      'set a balance': 'update balances set prepaid_micros = 5',
      'delete a balance': 'delete from balances',
      'rewrite the audit log': "update audit_log set actor = 'x'",
      'shorten the audit log': 'delete from audit_log',
      'rewrite a decision': "update moderation_decisions set category = 'spam'",
      'forget a decision': 'delete from moderation_decisions',
      'rewrite an event': "update events set type = 'post.removed'",
      'forget an event': 'delete from events',
      'forget a post': 'delete from posts',
      'switch the lifecycle off': 'alter table posts disable trigger keep_post_lifecycle',
      'rewrite the list of migrations': 'delete from schema_migrations',
      'become the owner of the schema': 'set role broadside_migrator',
    }
    for (const [what, sql] of Object.entries(statements))
      test(`cannot ${what}`, async () => {
        const code = await tryAs(role, sql)
        assert.equal(code, denied, `${sql} → ${code ?? 'allowed'}`)
      })
  })

const transfer = (from: string, to: string, reason: string) =>
  `insert into ledger_transfers values ('txn_01jcmzq8e5f7r9t2v4x6y8z0ab', $account, '${from}', '${to}', 5, '${reason}', 's', 0, '2026-01-01')`

suite('each role moves only the money it is responsible for', () => {
  const attempts: [DatabaseRole, string, string | undefined][] = [
    ['api', transfer('prepaid', 'revenue', 'post'), undefined],
    ['api', transfer('operator_credit', 'prepaid', 'credit'), denied],
    ['api', transfer('provider_clearing', 'prepaid', 'top_up'), denied],
    ['api', transfer('refunds', 'prepaid', 'refund'), denied],
    ['worker', transfer('owed', 'penalties', 'penalty'), undefined],
    ['worker', transfer('operator_credit', 'prepaid', 'credit'), denied],
    ['operator', transfer('operator_credit', 'prepaid', 'credit'), undefined],
    ['operator', transfer('prepaid', 'revenue', 'post'), denied],
    ['owner_page', transfer('prepaid', 'provider_clearing', 'payout'), undefined],
    ['owner_page', transfer('provider_clearing', 'prepaid', 'top_up'), denied],
    ['owner_page', transfer('operator_credit', 'prepaid', 'credit'), denied],
    ['owner_page', transfer('provider_clearing', 'prepaid', 'payout_return'), denied],
    ['api', transfer('prepaid', 'provider_clearing', 'payout'), denied],
    ['worker', transfer('provider_clearing', 'prepaid', 'top_up'), undefined],
    ['reader', transfer('prepaid', 'revenue', 'post'), denied],
  ]
  for (const [role, sql, outcome] of attempts)
    test(`broadside_${role}: ${/'\w+', '\w+', 5, '(\w+)'/.exec(sql)?.[1]} is ${outcome ? 'refused' : 'allowed'}`, async () =>
      assert.equal(await tryAs(role, sql), outcome))

  test('no role can refund what was never charged', async () => {
    for (const role of ['worker', 'operator'] as const)
      assert.equal(await tryAs(role, transfer('refunds', 'prepaid', 'refund')), '23514')
  })

  test('a charge cannot be reversed in direction to create money', async () => {
    assert.notEqual(await tryAs('api', transfer('revenue', 'prepaid', 'post')), undefined)
    assert.notEqual(await tryAs('api', transfer('operator_credit', 'prepaid', 'search')), undefined)
  })
})

test('the API cannot change standing, strikes, email or card, nor revoke or read what it does not need', async () => {
  for (const sql of [
    "update accounts set standing = 'good'",
    'update accounts set strikes = 0',
    "update accounts set email = 'x@example.com'",
    'update accounts set card_on_file = true',
    'update accounts set auto_recharge_enabled = true',
    'update accounts set auto_recharge_amount_micros = 1',
    'update api_keys set hash = hash',
    'select * from audit_log',
    'insert into balances (account_id, prepaid_micros) values ($account, 5)',
    "insert into audit_log (at, actor, action) values ('2026-01-01', 'operator:root', 'account.ban')",
  ])
    assert.equal(await tryAs('api', sql), denied, sql)
})

suite('each role can do to posts only what it is responsible for', () => {
  const decision = (automated: boolean, actor: string) =>
    `insert into moderation_decisions (post_id, outcome, automated, actor, policy_version, decided_at)
     values ('$post', 'publish', ${automated}, '${actor}', 'p', '2026-01-01')`
  const event = `insert into events (id, account_id, position, type, data, at)
    values ('evt_01jcmzq8e5f7r9t2v4x6y8z0ab', $account, 1, 'post.published', '{}', '2026-01-01')`
  const delivery = `insert into deliveries (webhook_id, event_id, type, status, queue, created_at)
    values ('wh_01jcmzq8e5f7r9t2v4x6y8z0ab', 'evt_01jcmzq8e5f7r9t2v4x6y8z0ab', 'post.published', 'held', 'first', '2026-01-01')`
  const audit = (actor: string) =>
    `insert into audit_log (at, actor, action) values ('2026-01-01', '${actor}', 'owner.sign_in')`
  const session = `insert into owner_sessions (id, token_hash, account_id, browser, created_at, last_seen_at)
    values (gen_random_uuid(), sha256('x'), $account, 'x', '2026-01-01', '2026-01-01')`
  const link = `insert into owner_links (token_hash, account_id, expires_at) values (sha256('x'), $account, '2026-01-01')`
  const customer =
    "insert into payment_customers (account_id, customer, created_at) values ($account, 'cus_x', '2026-01-01')"
  const payment = `insert into payments (id, account_id, cause, provider, amount_micros, created_at)
    values ('pay_01jcmzq8e5f7r9t2v4x6y8z0cd', $account, 'recharge', 'stripe', 5000000, '2026-01-01')`
  const refund = `insert into payment_refunds (id, payment_id, amount_micros, created_at)
    values ('rfd_01jcmzq8e5f7r9t2v4x6y8z0ab', 'pay_01jcmzq8e5f7r9t2v4x6y8z0ab', 10000, '2026-01-01')`
  const known = `insert into published_before (account_id, subject, post_id)
    values ($account, 'domain:' || repeat('a', 43), '$post')`
  const attempts: [DatabaseRole, string, string, string | undefined][] = [
    ['api', 'publish a post', "update posts set status = 'published'", denied],
    ['api', 'change a published text', "update posts set content = '{}' where status = 'published'", denied],
    ['api', 'take a post into the list', 'update posts set listed = true', denied],
    [
      'api',
      'delete a post for its author',
      "update posts set status = 'deleted', content = null, listed = false",
      undefined,
    ],
    ['api', 'accept an edit', "update post_edits set status = 'accepted'", denied],
    ['api', 'reject an edit', "update post_edits set status = 'rejected', content = null", denied],
    ['api', 'decide', decision(true, 'model:x'), denied],
    ['api', 'announce', event, denied],
    ['api', 'say that the model runs', "update model_status set state = 'running'", denied],
    ['api', 'put words into an appeal', "update appeals set message = 'forged'", denied],
    [
      'api',
      'file an appeal for another',
      "insert into appeals (post_id, account_id, message, submitted_at) values ('$post', 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab', 'm', '2026-01-01')",
      denied,
    ],
    ['api', 'uphold an appeal', "update appeals set outcome = 'upheld'", denied],
    ['worker', 'decide as the model', decision(true, 'model:x'), undefined],
    ['worker', 'decide as a person', decision(false, 'operator:x'), denied],
    ['worker', 'close an account', "update accounts set standing = 'closed'", denied],
    ['worker', 'forgive strikes', 'update accounts set strikes = 0', denied],
    ['worker', 'take a strike back', 'select take_strike_back($account, 3)', denied],
    [
      'worker',
      'take the strike of a refusal back',
      "select take_strike_back($account, 3, '$post', 0::smallint)",
      denied,
    ],
    ['worker', 'add a strike without its refusal', 'select add_strike($account, 3)', denied],
    ['worker', 'forget a refusal for abuse', 'delete from abuse_refusals', denied],
    ['worker', 'remember a domain', known, undefined],
    ['api', 'remember a domain', known, denied],
    ['api', 'forget a refusal for abuse', 'delete from abuse_refusals', denied],
    ['worker', 'delete a post', "update posts set status = 'deleted', content = null, listed = false", denied],
    ['worker', 'give a penalty back', transfer('penalties', 'prepaid', 'penalty_return'), denied],
    ['worker', 'return the fee of what is not in review', transfer('refunds', 'prepaid', 'review_return'), denied],
    ['worker', 'change why a post is in review', "update reviews set reason = 'rule'", denied],
    ['operator', 'decide as a person', decision(false, 'operator:x'), undefined],
    ['operator', 'decide as the model', decision(true, 'model:x'), denied],
    [
      'operator',
      'give back a penalty that was never taken',
      transfer('penalties', 'prepaid', 'penalty_return'),
      '23514',
    ],
    ['api', 'say that a delivery succeeded', "update deliveries set status = 'delivered', due_at = null", denied],
    ['api', 'rewrite what came of attempts', "update deliveries set attempts = '[]'", denied],
    ['api', 'forget a delivery', 'delete from deliveries', denied],
    ['api', 'take a lane', 'update delivery_lanes set holder = gen_random_uuid()', denied],
    ['api', 'point an endpoint elsewhere', "update webhooks set url = 'https://example.com/'", denied],
    ['api', 'enable an endpoint', 'update webhooks set disabled_at = null', denied],
    ['api', 'prove an endpoint', 'update webhooks set proven_at = created_at', denied],
    ['worker', 'ask for a delivery', delivery, denied],
    ['worker', 'put a secret in', "update webhook_secrets set sealed = ''", denied],
    ['operator', 'read what is sealed, to seal it anew', 'select sealed from webhook_secrets', undefined],
    ['operator', 'delete a secret', 'delete from webhook_secrets', denied],
    ['reader', 'read secrets', 'select sealed from webhook_secrets', denied],
    ['owner_page', 'read secrets', 'select sealed from webhook_secrets', denied],
    ['owner_page', 'show the owner their posts', 'select content from posts', undefined],
    ['owner_page', 'publish a post', "update posts set status = 'published'", denied],
    ['owner_page', 'lift a ban', "update accounts set standing = 'good'", denied],
    ['owner_page', 'forgive strikes', 'update accounts set strikes = 0', denied],
    ['owner_page', 'uphold an appeal', "update appeals set outcome = 'upheld'", denied],
    ['owner_page', 'point a key at another account', 'update api_keys set account_id = account_id', denied],
    ['owner_page', 'change what a key may do', "update api_keys set scope = 'read'", undefined],
    ['owner_page', 'read the audit log', 'select action from audit_log', denied],
    ['owner_page', 'forget codes that were tried', 'delete from owner_codes', denied],
    ['owner_page', 'give a code to another address', 'update owner_codes set email = email', denied],
    ['owner_page', 'forget sessions', 'delete from owner_sessions', denied],
    ['owner_page', 'give a session to another account', 'update owner_sessions set account_id = account_id', denied],
    ['owner_page', 'lengthen a visit', 'update owner_visits set expires_at = expires_at', denied],
    ['owner_page', 'make a link', link, denied],
    ['api', 'say that a link was mailed', 'insert into owner_links (mailed) values (true)', denied],
    ['owner_page', 'read which addresses were named', 'select email from owner_link_mails', denied],
    ['owner_page', 'forget links', 'delete from owner_links', denied],
    ['owner_page', 'ask for a refund', refund, undefined],
    ['owner_page', 'say that a refund has arrived', "update payment_refunds set status = 'succeeded'", denied],
    ['owner_page', 'lead a card to another customer', 'update payment_customers set customer = customer', denied],
    ['owner_page', 'forget a customer', 'delete from payment_customers', denied],
    ['api', 'widen a key', "update api_keys set scope = 'full', daily_cap_micros = null", denied],
    ['api', 'rename a key', "update api_keys set name = 'x'", denied],
    ['api', 'revoke a key', "update api_keys set revoked_at = '2026-01-01'", undefined],
    ['worker', 'make a customer', customer, denied],
    ['worker', 'forget a customer', 'delete from payment_customers', undefined],
    ['worker', 'begin a recharge', payment, undefined],
    ['operator', 'invent a payment', payment, denied],
    ['operator', 'ask for a refund', refund, denied],
    ['operator', 'confirm a payment', "update payments set status = 'paid', settled_at = '2026-01-01'", undefined],
    ['operator', 'change what a payment was', 'update payments set intent = null', denied],
    ['operator', 'end a refund', "update payment_refunds set status = 'succeeded'", undefined],
    ['owner_page', 'sign as an operator', audit('operator:root'), denied],
    ['owner_page', 'sign as the owner', audit('owner:acct_01jcmzq8e5f7r9t2v4x6y8z0ab'), undefined],
    ['api', 'start a session', session, denied],
    ['api', 'bring a session back', 'update owner_sessions set ended_at = null', denied],
    ['api', 'read codes', 'select sealed from owner_codes', denied],
    ['api', 'change a payment', "update payments set status = 'paid'", denied],
    ['worker', 'start a session', session, denied],
    ['operator', 'read codes', 'select sealed from owner_codes', denied],
    ['reader', 'read what sessions are known by', 'select token_hash from owner_sessions', denied],
    ['reader', 'read codes', 'select sealed from owner_codes', denied],
    [
      'api',
      'file a report',
      "select file_report('rep_01jcmzq8e5f7r9t2v4x6y8z0ab', '$post', null, 'spam', null, null, '2026-01-01')",
      undefined,
    ],
    ['api', 'read reports', 'select detail from reports', denied],
    ['api', 'read cases', 'select post_id from report_cases', denied],
    ['api', 'close a case', "update report_cases set closed_at = '2026-01-01', outcome = 'dismissed'", denied],
    ['worker', 'rewrite what was reported', "update reports set category = 'other'", denied],
    ['operator', 'put words into a report', "update reports set detail = 'forged'", denied],
    ['operator', 'forget a report', 'delete from reports', denied],
    ['reader', 'read reports', 'select contact_email from reports', denied],
    ['owner_page', 'read reports', 'select detail from reports', denied],
    ['reader', 'change a post', 'update posts set listed = false', denied],
  ]
  for (const [role, what, sql, outcome] of attempts)
    test(`broadside_${role}: to ${what} is ${outcome ? 'refused' : 'allowed'}`, async () => {
      assert.equal(await tryAs(role, sql.replace('$post', postId)), outcome)
    })
})

test('an unknown role cannot read anything', async () => {
  const admin = new pg.Client({ connectionString: service.database.adminUrl })
  await admin.connect()
  try {
    await admin.query('begin')
    await admin.query('create role broadside_stranger')
    const { rows } = await admin.query<{ table_name: string }>(
      `select table_name from information_schema.tables
       where table_schema in ('public', 'pgboss') and has_table_privilege('broadside_stranger', table_schema || '.' || table_name, 'select')`,
    )
    assert.deepEqual(rows, [])
  } finally {
    await admin.query('rollback')
    await admin.end()
  }
})
