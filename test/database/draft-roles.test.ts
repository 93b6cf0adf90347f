import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DatabaseRole } from '../../src/platform/database/database-setup.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { denied, tryStatement } from '../support/database/try-statement.ts'
import { seedDraft } from '../support/drafts/seed-draft.ts'

let service: Service
let accountId: string
let draftId: string
before(async () => {
  service = await startService()
  accountId = (await service.createCustomer()).id
  draftId = await seedDraft(service, { accountId })
})
after(() => service[Symbol.asyncDispose]())

const post = `insert into posts (id, account_id, kind, status, content, facets, created_at)
  values ('post_01jcmzq8e5f7r9t2v4x6y8z0ab', '$account', 'message', 'queued', '{}', '{}', '2026-01-01')`
const charge = `insert into ledger_transfers values
  ('txn_01jcmzq8e5f7r9t2v4x6y8z0ab', '$account', 'prepaid', 'revenue', 20000, 'post', 's', 0, '2026-01-01')`
const event = (type: string) => `insert into events (id, account_id, position, type, data, at)
  values ('evt_01jcmzq8e5f7r9t2v4x6y8z0ab', '$account', 1, '${type}', '{"id": "$draft"}', '2026-01-01')`

/** What each role may do to drafts. The outcome is the error's code; undefined if it is allowed. */
const attempts: [DatabaseRole, string, string, string | undefined][] = [
  ['worker', 'submit a post without its draft', post, denied],
  ['worker', 'charge for a post without its draft', charge, denied],
  ['worker', 'approve a draft', "update drafts set state = 'scheduled'", denied],
  [
    'worker',
    'decline a draft',
    "update drafts set state = 'declined', content = null, decided_at = created_at",
    denied,
  ],
  ['worker', 'rewrite what a draft costs', 'update drafts set total_micros = 1', denied],
  ['api', 'approve a draft', 'update drafts set approved_at = created_at', denied],
  ['api', 'decline a draft', "update drafts set state = 'declined', content = null, decided_at = created_at", denied],
  [
    'api',
    'cancel a draft',
    "update drafts set state = 'cancelled', content = null, decided_at = created_at",
    undefined,
  ],
  ['api', 'change when a draft is published', 'update drafts set publish_at = created_at', denied],
  ['api', 'delete a draft', 'delete from drafts', denied],
  ['api', 'read the links to drafts', 'select token_hash from draft_links', denied],
  ['owner_page', 'approve a draft', "update drafts set state = 'scheduled', approved_at = created_at", undefined],
  [
    'owner_page',
    'cancel a draft',
    "update drafts set state = 'cancelled', content = null, decided_at = created_at",
    denied,
  ],
  ['owner_page', 'write a draft', "update drafts set kind = 'story'", denied],
  ['owner_page', 'say that a draft was submitted', 'update drafts set post_id = null', denied],
  ['owner_page', 'delete links to drafts', 'delete from draft_links', denied],
  ['owner_page', 'announce a post', event('post.published'), denied],
  ['owner_page', 'announce a draft that was not declined', event('draft.declined'), denied],
  ['operator', 'read the text of a draft', 'select content from drafts', denied],
  ['reader', 'read the text of a draft', 'select content from drafts', denied],
  ['desk', 'read drafts', 'select id from drafts', denied],
]
for (const [role, what, sql, outcome] of attempts)
  test(`broadside_${role}: to ${what} is ${outcome ? 'refused' : 'allowed'}`, async () => {
    const statement = sql.replaceAll('$account', accountId).replaceAll('$draft', draftId)
    assert.equal(await tryStatement(service.database.urls[role], statement), outcome)
  })
