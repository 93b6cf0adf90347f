import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type pg from 'pg'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { readMigrations } from '../../src/platform/database/migration-files.ts'
import { migrate } from '../../src/platform/database/migrations.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'

let database: OwnDatabase
before(async () => {
  database = await migratedDatabase('reviews')
  await asAdministrator(database.adminUrl, async (admin) => {
    await admin.query('drop schema if exists public, pgboss cascade')
    await admin.query('create schema public authorization pg_database_owner')
    await admin.query('grant usage on schema public to public')
  })
})
after(() => database[Symbol.asyncDispose]())

const at = new Date('2026-11-15T12:00:00Z')
const later = new Date('2026-11-15T15:00:00Z')

type Old = { category?: string; actor?: string; scores?: object; decided?: 'publish'; withoutDecision?: true }

async function seedOldPost(admin: pg.Client, { category, actor = 'model:test', scores = {}, ...old }: Old) {
  const id = newId('post', at)
  const account = newId('acct', at)
  await admin.query(
    `insert into posts (id, account_id, kind, status, content, facets, created_at)
     values ($1, $2, 'message', 'queued', '{}', '{}', $3)`,
    [id, account, at],
  )
  const say = (outcome: string, automated: boolean, by: string, when: Date) =>
    admin.query(
      `insert into moderation_decisions (post_id, outcome, category, automated, actor, policy_version, scores, decided_at)
       values ($1, $2, $3, $4, $5, '2026-11-15', $6, $7)`,
      [id, outcome, category ?? null, automated, by, JSON.stringify(scores), when],
    )
  if (!old.withoutDecision) await say('review', true, actor, at)
  // This test is not about which role may change a post.
  await admin.query('alter table posts disable trigger keep_post_rights')
  await admin.query("update posts set status = 'review' where id = $1", [id])
  if (old.decided) {
    await say(old.decided, false, 'operator:test', later)
    await admin.query("update posts set status = 'published', published_at = $2 where id = $1", [id, later])
  }
  return id
}

test('posts already in review get a reason from their scores, and decided ones count for the throughput', async () => {
  const migrations = await readMigrations()
  const first = migrations.findIndex(({ name }) => name === 'fees_returned_in_review')
  await migrate(database.urls.migrator, migrations.slice(0, first), at)
  const cases: Record<string, Old> = {
    sensitive: { category: 'self_harm', scores: { row: 'rule_hit' } },
    no_answer: { actor: 'system:waited-too-long' },
    rule: { scores: { row: 'rule_doubts', judged: false } },
    language: { scores: { row: 'local_alone_in_doubt', judged: false } },
    unsure: { scores: { row: 'local_suspects', judged: true } },
    'unsure without a decision': { withoutDecision: true },
    'unsure and decided': { decided: 'publish' },
  }
  const rows = await asAdministrator(database.adminUrl, async (admin) => {
    const ids = new Map<string, string>()
    for (const [name, old] of Object.entries(cases)) ids.set(await seedOldPost(admin, old), name)
    await migrate(database.urls.migrator, migrations, at)
    const { rows: found } = await admin.query('select * from reviews')
    return new Map(found.map((row) => [String(ids.get(row.post_id)), row]))
  })
  assert.equal(rows.size, Object.keys(cases).length)
  for (const [name, row] of rows) {
    const isDecided = name === 'unsure and decided'
    assert.equal(row.reason, name.split(' ')[0], name)
    assert.deepEqual([row.waits, row.opened_at, row.fee_returned_at], [!isDecided, at, null], name)
    assert.deepEqual(row.decided_at, isDecided ? later : null, name)
  }
})
