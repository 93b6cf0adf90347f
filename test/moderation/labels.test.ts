import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { type Label, listLabels } from '../../src/cases/export/list-labels.ts'
import { connect } from '../../src/platform/database/database.ts'
import { runOperator } from '../../tooling/environment/processes.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { openTransparencyFixture } from '../support/moderation/transparency-fixture.ts'

let service: Service
let fixture: Awaited<ReturnType<typeof openTransparencyFixture>>
before(async () => {
  service = await startService()
  fixture = await openTransparencyFixture(service)
})
after(() => service?.[Symbol.asyncDispose]())

const staffId = 'staff_01jcmzq8e5f7r9t2v4x6y8z0ab'
const person = `staff:${staffId}`
const at = (hour: number) => `2026-11-10T${String(hour).padStart(2, '0')}:00:00Z`

async function labels(since?: Date): Promise<Label[]> {
  const role = { poolMax: 1, applicationName: 'test reader' }
  await using reader = connect(service.database.urls.reader, role)
  return await Array.fromAsync(listLabels(reader.db, sitesFromSettings(service.baseUrls), since))
}
const of = async (id: string) =>
  (await labels())
    .filter((label) => label.id === id)
    .map(({ edit, category, violating, source }) => [edit, category, violating, source])

const decisionOf = async (id: string) =>
  (
    await service.asOwner<{ id: string }>(
      'select id::text from moderation_decisions where post_id = $1 and automated order by id desc limit 1',
      [id],
    )
  )[0]?.id
/** The desk's answers, applied at the same moment. */
const answered = (key: string, postId: string, verdict: string, hour: number) =>
  fixture.answer([key], { staffId, postId, verdict, at: at(hour), appliedAt: at(hour) })

test('a review is a label; the model’s own decisions are not', async () => {
  const [published, refused, alone] = [
    await fixture.post(at(0)),
    await fixture.post(at(0), 'story'),
    await fixture.post(at(0)),
  ]
  await fixture.decide(published, at(1), { outcome: 'review', category: 'spam' })
  await fixture.decide(published, at(2), { outcome: 'publish', by: person })
  await fixture.decide(refused, at(1), { outcome: 'review' })
  await fixture.decide(refused, at(2), { outcome: 'abuse', category: 'scam_fraud', by: 'operator:mara' })
  await fixture.decide(alone, at(1), { outcome: 'abuse', category: 'spam' })
  assert.deepEqual(await of(published), [[0, 'spam', false, 'review']])
  assert.deepEqual(await of(refused), [[0, 'scam_fraud', true, 'review']])
  assert.deepEqual(await of(alone), [])
  const [label] = (await labels()).filter(({ id }) => id === refused)
  assert.match(label?.text ?? '', /^[^\n]+\n\n\S/, 'the title, a blank line and the text')
  assert.deepEqual(Object.keys(label ?? {}), [
    ...['id', 'edit', 'kind', 'text', 'category', 'violating', 'source', 'policy_version', 'decided_at', 'weight'],
  ])
})

test('the last decision wins: a removal, then its appeal; a check, an audit, a dismissed report', async () => {
  const [removed, checked, audited, kept, dismissed] = [
    await fixture.post(at(0)),
    await fixture.post(at(0)),
    await fixture.post(at(0)),
    await fixture.post(at(0)),
    await fixture.post(at(0)),
  ]
  for (const id of [removed, kept, dismissed]) await fixture.decide(id, at(1), { outcome: 'publish' })
  await fixture.decide(removed, at(2), { outcome: 'remove', category: 'sexual', by: person })
  assert.deepEqual(await of(removed), [[0, 'sexual', true, 'report']])
  await fixture.appeal(removed, at(3), { outcome: 'upheld', at: at(4) })
  await answered(`appeal:${removed}:0`, removed, 'uphold', 4)
  await fixture.decide(removed, at(4), { outcome: 'restore', by: person })
  assert.deepEqual(await of(removed), [[0, 'sexual', false, 'appeal']])
  await fixture.decide(checked, at(1), { outcome: 'abuse', category: 'spam' })
  await answered(`check:${await decisionOf(checked)}`, checked, 'confirm', 2)
  assert.deepEqual(await of(checked), [[0, 'spam', true, 'check']])
  await fixture.decide(audited, at(1), { outcome: 'low_quality', category: 'low_quality' })
  await answered(`audit:${await decisionOf(audited)}`, audited, 'overturn', 2)
  await fixture.decide(audited, at(2), { outcome: 'restore', by: person })
  assert.deepEqual(await of(audited), [[0, 'low_quality', false, 'audit']])
  await answered(`audit:${await decisionOf(kept)}`, kept, 'keep', 2)
  assert.deepEqual(await of(kept), [[0, null, false, 'audit']])
  await fixture.report(dismissed, at(2), 'spam', { outcome: 'dismissed', at: at(3) })
  assert.deepEqual(await of(dismissed), [[0, null, false, 'report']])
  const appealed = await fixture.post(at(0))
  await fixture.decide(appealed, at(1), { outcome: 'abuse', category: 'malware_phishing' })
  await fixture.appeal(appealed, at(2), { outcome: 'dismissed', at: at(3) })
  assert.deepEqual(await of(appealed), [[0, 'malware_phishing', true, 'appeal']])
  assert.deepEqual(
    (await labels(new Date(at(4)))).map(({ id, weight }) => [id, weight]),
    [[removed, 8]],
    'since when the last word was said',
  )
})

test('a missing text is not a label: an older version, a deleted post; each version has its own', async () => {
  const edited = await fixture.post(at(0))
  await fixture.decide(edited, at(1), { outcome: 'review' })
  await fixture.decide(edited, at(2), { outcome: 'publish', by: person })
  await fixture.report(edited, at(2), 'spam', { outcome: 'dismissed', at: at(3) })
  await service.asOwner('update posts set edited_at = $2 where id = $1', [edited, at(4)])
  await fixture.decide(edited, at(4), { outcome: 'publish', edit: 1 })
  assert.deepEqual(await of(edited), [], 'people saw the text before')
  await service.asOwner(
    `insert into post_edits (post_id, number, status, content, facets, submitted_at)
     select id, 2, 'queued', content, facets, $2 from posts where id = $1`,
    [edited, at(5)],
  )
  await fixture.decide(edited, at(6), { outcome: 'abuse', category: 'spam', edit: 2, by: person })
  await fixture.decide(edited, at(7), { outcome: 'remove', category: 'scam_fraud', by: person })
  assert.deepEqual(await of(edited), [
    [1, 'scam_fraud', true, 'report'],
    [2, 'spam', true, 'review'],
  ])
  await service.asOwner(
    "update post_edits set status = 'cancelled', content = null, facets = '{}' where post_id = $1",
    [edited],
  )
  await service.asOwner("update posts set status = 'deleted', content = null, facets = '{}' where id = $1", [edited])
  assert.deepEqual(await of(edited), [])
})

test('the command writes a file without names that nobody else can read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-labels-'))
  try {
    const file = join(folder, 'labels.ndjson')
    const environment = {
      BROADSIDE_ENVIRONMENT: 'test',
      READER_DATABASE_URL: service.database.urls.reader,
      SITES: Object.entries(service.baseUrls)
        .map(([kind, url]) => `${kind}=${url}`)
        .join(' '),
    }
    const run = () => runOperator(environment, 'labels', 'export', '--out', file)
    const { code, stdout, stderr } = await run()
    assert.deepEqual([code, stdout], [0, ''], stderr)
    assert.match(stderr, /exported/)
    const text = await readFile(file, 'utf8')
    assert.equal(text.trimEnd().split('\n').length, (await labels()).length)
    for (const name of [fixture.accountId, staffId, 'mara', 'Harbour Notices']) assert.ok(!text.includes(name), name)
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    assert.match((await run()).stderr, /already exists/)
  } finally {
    await rm(folder, { recursive: true })
  }
})
