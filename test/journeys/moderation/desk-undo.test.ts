import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { closeAccount } from '../../../src/accounts/deletion/close-account.ts'
import { claimCase } from '../../../src/cases/claim.ts'
import { decideReview } from '../../../src/moderation/decisions/decide-by-person.ts'
import { connect, inTransaction } from '../../../src/platform/database/database.ts'
import { type DeskFixture, fingerprint, openDeskFixture, windowSeconds } from '../../support/desk/decided-posts.ts'

let fixture: DeskFixture
before(async () => {
  fixture = await openDeskFixture()
})
after(() => fixture[Symbol.asyncDispose]())

/** A waiting review, its author and its key. */
async function waiting(text: string) {
  const author = await fixture.openAuthor()
  const id = await author.submit(`verdict-review ${text}`)
  const { key } = await fixture.caseOf(id, 'review')
  return { author, id, key }
}

const effectOf = async (key: string) => {
  const rows = await fixture.service.asOwner<{ effect: string }>(
    'select effect from desk_decisions where case_key = $1',
    [key],
  )
  return rows[0]?.effect
}

test('undo within the window leaves no trace outside the audit log', async () => {
  const { author, id, key } = await waiting('The weir gate is painted green this week.')
  await fixture.service.settle()
  const before = await fingerprint(fixture.service)
  await fixture.press(fixture.ada, key, 'reject', 'scam_fraud')
  assert.notDeepEqual(await fingerprint(fixture.service), before, 'what is decided waits in a table')
  assert.equal(await fixture.undo(fixture.ada, key), 303)
  assert.deepEqual(await fingerprint(fixture.service), before)
  fixture.pass(windowSeconds)
  await fixture.service.settle()
  assert.deepEqual(await fingerprint(fixture.service), before, 'and nothing comes afterwards')
  assert.deepEqual(
    (await author.events()).map(({ type }) => type),
    ['post.review'],
  )
  const who = `staff:${fixture.ada.id}`
  assert.deepEqual(await fixture.log(key), [
    `${who} case.claim`,
    `${who} case.decide reject`,
    `${who} case.undo reject`,
  ])
  assert.equal((await fixture.caseOf(id, 'review')).mine, true, 'the case is theirs again')
})

test('nothing is applied before the ten seconds are over, and afterwards it cannot be undone', async () => {
  const { author, id, key } = await waiting('The signal mast flies two cones until dusk.')
  // The decided case leaves the queue at once.
  const { desk_decisions: _none, open_cases: _listed, ...before } = await fingerprint(fixture.service)
  await fixture.press(fixture.ada, key, 'publish')
  // Real time also passes.
  fixture.pass(3)
  await fixture.service.settle()
  const { desk_decisions: _one, open_cases: _left, ...within } = await fingerprint(fixture.service)
  assert.deepEqual(within, before)
  assert.deepEqual([(await author.record(id)).status, (await fixture.look(`/p/${id}`)).status], ['review', 404])
  fixture.pass(8)
  assert.equal(await fixture.undo(fixture.ada, key), 409)
  await fixture.service.settle()
  assert.equal(await fixture.undo(fixture.ada, key), 409)
  assert.deepEqual([(await author.record(id)).status, (await fixture.look(`/p/${id}`)).status], ['published', 200])
})

test('nobody can undo another member’s decision', async () => {
  const { key } = await waiting('The ropewalk is open to visitors on Sundays.')
  await fixture.press(fixture.ada, key, 'publish')
  assert.equal(await fixture.undo(fixture.ben, key), 409)
  assert.equal(await fixture.undo(fixture.ada, key), 303)
})

test('an author who deletes the post within the undo window is neither charged nor notified', async () => {
  const { author, id, key } = await waiting('Pay by voucher and the crane is yours tomorrow.')
  await fixture.press(fixture.ada, key, 'reject', 'scam_fraud')
  await author.client.deletePost(id)
  const before = await author.money()
  fixture.pass(windowSeconds)
  await fixture.service.settle()
  assert.equal(await effectOf(key), 'nothing_to_do')
  assert.deepEqual(await author.money(), before)
  assert.equal(before.strikes, 0)
  assert.deepEqual(
    (await author.events()).map(({ type }) => type),
    ['post.review'],
  )
  assert.equal((await fixture.log(key)).at(-1), 'system:desk case.apply reject nothing_to_do')
})

test('nothing of an account that is closed within the undo window is decided', async () => {
  const { author, id, key } = await waiting('The diving bell is raised at low water, bring a torch.')
  await fixture.press(fixture.ada, key, 'reject', 'scam_fraud')
  const { database, clock } = fixture.service
  await using ownerPage = connect(database.urls.owner_page, { poolMax: 1, applicationName: 'test closing' })
  await inTransaction(ownerPage.db, (tx) => closeAccount(tx, { accountId: author.id, at: clock.now() }))
  fixture.pass(windowSeconds)
  await fixture.service.settle()
  assert.equal(await effectOf(key), 'nothing_to_do')
  const penalties = await fixture.service.asOwner(
    "select from ledger_transfers where account_id = $1 and reason = 'penalty'",
    [author.id],
  )
  assert.equal(penalties.length, 0)
  const judged = await fixture.service.asOwner(
    'select from moderation_decisions where post_id = $1 and not automated',
    [id],
  )
  assert.equal(judged.length, 0)
})

test('an operator who decides within the undo window wins', async () => {
  const { author, id, key } = await waiting('The pilot cutter sails with a crew of five.')
  await fixture.press(fixture.ada, key, 'reject', 'spam')
  await fixture.service.asOperator((tx, sites) =>
    decideReview(tx, sites, {
      ...{ postId: id, outcome: 'publish', category: null, actor: 'operator:test' },
      at: fixture.service.clock.now(),
    }),
  )
  fixture.pass(windowSeconds)
  await fixture.service.settle()
  assert.equal(await effectOf(key), 'nothing_to_do')
  assert.equal((await author.record(id)).status, 'published')
  assert.equal((await author.money()).strikes, 0)
})

test('a reviewer who removed a post is not offered its appeal, and cannot hold or decide it', async () => {
  const author = await fixture.openAuthor()
  const id = await author.submit('The bell founder casts at midnight, visitors stand behind the line.')
  await fixture.report(id, 'impersonation')
  await fixture.decide(fixture.ada, (await fixture.caseOf(id, 'report')).key, 'remove', 'impersonation')
  await author.client.appealPost(id, { message: 'It is our own foundry.' })
  const { key, barred } = await fixture.caseOf(id, 'appeal')
  assert.equal(barred, true)
  const { deskDb, clock } = fixture.service
  assert.equal(await claimCase(deskDb, { key, staffId: fixture.ada.id, at: clock.now() }), 'barred')
  assert.equal(await fixture.press(fixture.ada, key, 'dismiss'), 409)
  const [who, at] = [fixture.ada.id, clock.now()]
  const around = () =>
    deskDb
      .insertInto('desk_decisions')
      .values({
        ...{ case_key: key, case_kind: 'appeal', post_id: id, edit: 0, account_id: author.id, staff_id: who },
        ...{ verdict: 'dismiss', seconds: 0, decided_at: at, due_at: at },
      })
      .execute()
  await assert.rejects(around(), /the case is not claimed by who decides it/)
  const held = { case_key: key, staff_id: who, claimed_at: at, expires_at: at }
  await deskDb.insertInto('desk_claims').values(held).execute()
  await assert.rejects(around(), /an appeal is not decided by who decided before/)
  await fixture.decide(fixture.ben, key, 'dismiss')
  assert.equal((await author.record(id)).removal?.appeal?.status, 'dismissed')
})
