import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { desk } from '../../src/contract/limits.ts'
import { openStaff, type Staff } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { accountNames } from '../../tooling/fixtures/desk-case-texts.ts'
import { seedCases } from '../../tooling/fixtures/desk-cases.ts'
import { injections } from '../../tooling/fixtures/injections.ts'
import { read, refused, sentTo } from '../support/desk/read-pages.ts'
import { tricks } from '../support/posts/hostile-text.ts'

let service: Service
let ada: Staff
let bo: Staff
let lead: Staff
/** In the order of the fixture: two reviews plus a spare list of them, reports, appeals, checks, edits. */
let keys: string[]
before(async () => {
  service = await startService()
  ada = await openStaff(service, { name: 'Ada <b>Reviewer</b>' })
  bo = await openStaff(service, { name: 'Bo Colleague' })
  lead = await openStaff(service, { name: 'Lea Lead', role: 'lead' })
})
after(() => service?.[Symbol.asyncDispose]())

test('an empty queue shows a friendly message and a way to refresh', async () => {
  assert.match(await read(ada, '/'), /The queue is empty .*Every case is decided.*Check again n/)
  assert.match(await read(ada, '/decisions'), /No decisions yet/)
  assert.equal(await sentTo(ada, '/next'), '/?left=none')
  keys = await seedCases(service, { reviews: 10, reports: 4, appeals: 3, checks: 2, edits: 2, audits: 1 })
})

test('the queue shows the number of waiting cases by kind, and how each begins', async () => {
  const page = await read(ada, '/')
  assert.match(page, /22 cases waiting/)
  for (const tile of [/12 Reviews oldest/, /4 Reports oldest/, /3 Appeals oldest/, /2 Checks oldest/, /1 Audit oldest/])
    assert.match(page, tile)
  assert.match(page, /First lines are untrusted text.*The night ferry of pier \d+ leaves/)
  for (const name of accountNames.slice(0, 3)) assert.ok(page.includes(name), name)
  assert.match(page, /Review: \S+ .{0,300}Unknown no category/)
  assert.doesNotMatch(page, /Medium no category/)
  const reports = await read(ada, '/?kind=report')
  assert.match(reports, /Report: /)
  assert.doesNotMatch(reports, /Appeal: |Check: |Review: /)
  assert.match(await read(ada, "/?kind='x"), /22 cases waiting/)
})

test('every case shows everything that a decision needs, for every role', async () => {
  const pages = await Promise.all(keys.map(async (key) => [key, await read(ada, `/cases/${key}`)] as const))
  for (const [key, page] of pages)
    for (const part of [
      'Untrusted text',
      'Author',
      'strike',
      'Automated checks',
      'Similar posts',
      'Past decisions',
      'Policy text',
      'You have not taken this case',
    ])
      assert.ok(page.includes(part), `${key} lacks ${part}`)
  const of = (kind: string) => pages.filter(([key]) => key.startsWith(kind)).map(([, page]) => page)
  for (const page of of('report'))
    assert.match(
      page,
      /reports? about the public version.*What reporters wrote .*I lost money with this.*Untrusted text/,
    )
  for (const [key, page] of pages.filter(([key]) => !/^(check|audit)/.test(key)))
    assert.match(page, new RegExp(`${key.split(':')[1]} by acct_`), key)
  for (const page of of('check')) assert.match(page, /Below threshold \(\d+\)/)
  for (const page of of('appeal'))
    assert.match(page, /says that the decision is wrong.*It quotes a public notice.*Untrusted text/)
  assert.ok(of('appeal').some((page) => /removed for .* by the operator/.test(page)))
  for (const page of of('check'))
    assert.match(page, /The model rejected it on its own for .* 10× the fee and got a strike/)
  assert.equal(of('review').filter((page) => /Changed: .*After the edit.*Public now/.test(page)).length, 2)
  assert.ok(
    of('review').some((page) =>
      /This text is untrusted, too\. \d+% .* by another author, in review The night ferry/.test(page),
    ),
    'a near-duplicate, and how it begins',
  )
  assert.ok(
    of('review').some((page) => page.includes('xn--l-7sba6dbr.example')),
    'a host in plain letters',
  )
  assert.ok(
    pages.every(([, page]) => /Other posts by this author (?=.* \d+ more ).* Public page/.test(page)),
    'how the author’s other posts begin, and where they can be read',
  )
  for (const [key, page] of pages) assert.equal(page.match(/Excerpts\./g)?.length, 1, key)
})

test('the content of a post is always shown as text', async () => {
  const [, postId = ''] = String(keys[0]).split(':')
  const [before] = await service.asOwner<{ content: object }>('select content from posts where id = $1', [postId])
  const said = [...tricks, ...Object.values(injections)].join('\n\n').toWellFormed().replaceAll('\0', '')
  await service.asOwner("update posts set content = content || jsonb_build_object('text', $2::text) where id = $1", [
    postId,
    said,
  ])
  const page = await read(ada, `/cases/${keys[0]}`)
  assert.match(page, /<\/script><script>alert\(1\)<\/script>/)
  assert.match(page, /\d+ links evil\.example/)
  await service.asOwner('update posts set content = $2 where id = $1', [postId, JSON.stringify(before?.content)])
})

test('the reviewer sees what the automated checks read in a disguised text, and which of them decided', async () => {
  const [, postId] = String(keys[0]).split(':')
  assert.match(await read(ada, `/cases/${keys[0]}`), /The judge says review/, 'what an older version recorded')
  const content = { text: 'Get fr\u200bee m0n\u0435y </div><b>n o w o n l y</b>' }
  const seen = { rules: { spam: 0.9, sexual: 0 }, classifier: { spam: 0.2 }, judged: false, mentions_minors: false }
  const scores = { row: 'rule_hit', thresholds: '2026-11-16.1', ...seen }
  for (const [statement, value] of [
    ['update posts set content = content || $2 where id = $1', content],
    ['update moderation_decisions set scores = $2 where post_id = $1', scores],
  ] as const)
    await service.asOwner(statement, [postId, JSON.stringify(value)])
  const page = await read(ada, `/cases/${keys[0]}`)
  assert.match(page, /As the automated checks see it .* text Get free money <\/div><b>nowonly<\/b>/)
  assert.match(page, /An abuse rule matched\. No judge is configured\. Rules Spam 90%, threshold 40% Local model/)
  assert.match(page, /cannot judge text in this language .*No category reaches .* \(1\) Spam 20%.* 2026-11-16\.1/)
})

test('a reviewer decides the case they hold, and immediately gets the next one, with ten seconds to undo', async () => {
  const first = await sentTo(ada, '/next')
  assert.equal(await sentTo(ada, '/next'), first, 'what one holds is given again')
  assert.match(await read(ada, '/'), /Resume case/)
  const [key] = keys.filter((one) => one.startsWith('review'))
  assert.equal(await sentTo(ada, `/cases/${key}/claim`), `/cases/${key}`)
  assert.match(await read(ada, `/cases/${key}`), /Yours .*Publish .*Reject … .*Low quality .*Skip/)
  const next = await sentTo(ada, `/cases/${key}/decide`, { verdict: 'reject', category: 'spam' })
  assert.equal(next, first)
  assert.match(await read(ada, String(next)), /Rejected: \w+, Spam \(Review\) Undo u Rejected: \w+ 10 s/)
  assert.match(
    await read(ada, `/cases/${key}`),
    /This case is already decided .*Rejected: Spam, by Ada <b>Reviewer<\/b>/,
  )
  assert.equal(await sentTo(ada, `/cases/${key}/undo`), `/cases/${key}`)
  assert.match(await read(ada, `/cases/${key}`), /Yours/)
  assert.equal(await sentTo(ada, `/cases/${key}/decide`, { verdict: 'publish' }), first)
  service.clock.setOffset(11_000)
  assert.match(await refused(ada, `/cases/${key}/undo`, 409), /Too late to undo/)
  assert.doesNotMatch(await read(ada, '/'), /Undo u/)
  assert.notEqual(await sentTo(ada, `${first}/skip`), first)
})

test('an impossible action gets a friendly explanation and a way forward', async () => {
  const [, , held = ''] = keys
  await sentTo(bo, `/cases/${held}/claim`)
  assert.match(await read(ada, `/cases/${held}`), /Bo Colleague holds this case for at most 2 more minutes/)
  assert.match(
    await refused(ada, `/cases/${held}/claim`, 409),
    /no longer hold this case Someone else has taken it, .*Next case/,
  )
  assert.match(await refused(ada, `/cases/${held}/decide`, 409, { verdict: 'publish' }), /no longer hold this case/)
  assert.equal((await ada.post(`/cases/${held}/renew`)).status, 409)
  assert.equal((await bo.post(`/cases/${held}/renew`)).status, 200)
  for (const fields of [{}, { verdict: 'keep' }, { verdict: 'reject' }, { verdict: 'reject', category: 'x' }])
    assert.match(
      await refused(bo, `/cases/${held}/decide`, 422, fields as Record<string, string>),
      /not valid for this case/,
    )
  for (const path of ['/cases/review:%01', '/cases/%3Cscript%3E', '/cases/review', "/cases/check:'1"])
    assert.match(await read(ada, path, 404), /Case not found/)
  assert.equal(await sentTo(bo, `/cases/${held}/decide`, { verdict: 'low_quality' }).then(Boolean), true)
  assert.match(
    await refused(ada, `/cases/${held}/decide`, 409, { verdict: 'publish' }),
    /Someone else decided this case first/,
  )
})

test('a past case is distinguished from one that never existed', async () => {
  const id = String(keys[0]).split(':')[1]
  const never = [`review:${id}:7`, `report:${id}:1`, `appeal:${id}:0`, 'review:post_x:0', 'check:999999', 'check:x']
  for (const key of [...never, `report:${id}:99999999999`, `check:${'9'.repeat(30)}`, `check:${id}:1`]) {
    assert.match(await read(ada, `/cases/${key}`, 404), /Case not found/)
    for (const act of ['claim', 'undo']) await refused(ada, `/cases/${key}/${act}`, 404)
    await refused(ada, `/cases/${key}/decide`, key.startsWith('review') ? 404 : 422, { verdict: 'publish' })
  }
  for (const kind of ['review', 'report', 'appeal', 'check']) {
    const key = String(keys.findLast((one) => one.startsWith(kind)))
    const listed = 'select account_id as id from open_cases where case_key = $1'
    const author = (await service.asOwner<{ id: string }>(listed, [key])).map(({ id }) => id)
    await service.asOwner("update accounts set standing = 'closed' where id = $1", author)
    if (kind !== 'report') assert.match(await read(ada, `/cases/${key}`, 409), /There is nothing left to decide/)
    // In practice, no account is opened again.
    await service.asOwner("update accounts set standing = 'good' where id = $1", author)
    await service.asOwner('select refresh_cases(id) from posts where account_id = $1', author)
  }
})

test('a reviewer who filters by kind gets only that kind, and is told when none is left', async () => {
  const cy = await openStaff(service, { name: 'Cy' })
  const checks = keys.filter((key) => key.startsWith('check'))
  let at = String(await sentTo(cy, '/next', { kind: 'check' }))
  const [first = ''] = at.split('?')
  assert.match(await (await cy.get(at)).text(), /name="kind" value="check"[\s\S]*name="kind" value="check"/)
  assert.equal(await sentTo(cy, `${first}/claim`, { kind: 'check' }), `${first}?kind=check`)
  for (const act of ['skip', 'decide']) {
    assert.match(at, /^\/cases\/check:\d+\?kind=check$/)
    at = String(await sentTo(cy, `${at.split('?')[0]}/${act}`, { kind: 'check', verdict: 'confirm' }))
  }
  assert.equal(checks.length, 2)
  assert.equal(at, '/?left=none&kind=check')
  const page = await read(cy, at)
  assert.match(page, /No checks are available to you right now .*Check again/)
  assert.match(page, /Cases where the model imposed a penalty on its own\./)
  const [decided = ''] = checks.filter((key) => !first.endsWith(key))
  assert.equal(await sentTo(cy, `/cases/${decided}/undo`, { kind: 'check' }), `/cases/${decided}?kind=check`)
  await sentTo(cy, `/cases/${decided}/skip`, { kind: "'x" })
  const [report = ''] = keys.filter((key) => key.startsWith('report'))
  await sentTo(cy, `/cases/${report}/claim`)
  assert.equal(
    await sentTo(cy, `/cases/${report}/decide`, { verdict: 'keep', seen: '0', kind: 'report' }),
    `/cases/${report}?kind=report&changed`,
  )
  assert.match(await read(cy, `/cases/${report}?kind=report&changed`), /This case has changed/)
  await service.asOwner('delete from desk_claims where staff_id = $1', [cy.id])
})

test('a removal refunds nothing, and a check says when the account is banned', async () => {
  const [report = ''] = keys.filter((key) => key.startsWith('report'))
  await sentTo(bo, `/cases/${report}/claim`)
  const removing = await read(bo, `/cases/${report}`)
  assert.match(removing, /Remove: which category\?.*Below the quality bar no strike/)
  assert.doesNotMatch(removing, /refunded/)
  await service.asOwner('delete from desk_claims where case_key = $1', [report])
  const [check = ''] = keys.filter((key) => key.startsWith('check'))
  assert.doesNotMatch(await read(bo, `/cases/${check}`), /which banned the account/)
  const [author] = await service.asOwner<{ id: string; strikes: number }>(
    `select id, strikes from accounts where id = (
       select account_id from posts where id = (select post_id from moderation_decisions where 'check:' || id = $1)
     )`,
    [check],
  )
  const change = 'update accounts set standing = $2::account_standing, strikes = $3 where id = $1'
  await service.asOwner(change, [author?.id, 'banned', 3])
  assert.match(await read(bo, `/cases/${check}`), /and got a strike, which banned the account\./)
  await service.asOwner(change, [author?.id, 'good', author?.strikes])
})

test('a signed-in member keeps the navigation on missing and forbidden pages', async () => {
  for (const [path, status] of [
    ['/nowhere', 404],
    ['/numbers', 403],
  ] as const)
    assert.match(await read(ada, path, status), /Queue Decisions .*(Page not found|role does not allow this).*Sign out/)
  const nobody = await fetch(`${service.deskUrl}/nowhere`)
  assert.equal(nobody.status, 404)
  assert.doesNotMatch(await nobody.text(), /Sign out/)
})

test('the owner page and the desk serve an icon, even to signed-out visitors', async () => {
  for (const door of [service.deskUrl, service.accountPageUrl]) {
    const answer = await fetch(`${door}/favicon.ico`)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/svg+xml; charset=utf-8'])
    assert.match(await answer.text(), /^<svg /)
    assert.match(await (await fetch(`${door}/sign-in`)).text(), /<link rel="icon" href="\/favicon\.ico\?v&#61;/)
  }
})

test('a lead can release a case that another member holds; a reviewer cannot', async () => {
  const [, , , held = ''] = keys
  await sentTo(bo, `/cases/${held}/claim`)
  assert.doesNotMatch(await read(ada, '/'), /Release/)
  assert.equal((await ada.post(`/cases/${held}/free`)).status, 403)
  assert.match(await read(lead, '/'), /Bo Colleague Release the case held by Bo Colleague/)
  assert.equal(await sentTo(lead, `/cases/${held}/free`), '/')
  assert.equal((await bo.post(`/cases/${held}/renew`)).status, 409)
})

test('an expired lease blocks nobody, and an appeal is not offered to those who decided before', async () => {
  const [, , , , left = ''] = keys
  await sentTo(bo, `/cases/${left}/claim`)
  service.clock.setOffset(11_000 + (desk.leaseSeconds + 1) * 1_000)
  assert.match(await read(ada, `/cases/${left}`), /You have not taken this case/)
  await sentTo(ada, `/cases/${left}/claim`)
  assert.match(await refused(bo, `/cases/${left}/decide`, 409, { verdict: 'publish' }), /no longer hold this case/)
  await sentTo(ada, `/cases/${left}/decide`, { verdict: 'publish' })
  const appeal = keys.find((key) => key.startsWith('appeal')) ?? ''
  await service.asOwner('update desk_decisions set post_id = $2 where case_key = $1', [left, appeal.split(':')[1]])
  assert.match(await read(ada, `/cases/${appeal}`), /You cannot decide this appeal/)
  assert.match(await refused(ada, `/cases/${appeal}/claim`, 409), /Someone else must decide this appeal/)
  assert.match(await read(ada, '/?kind=appeal'), /not for you/)
})

test('decisions are listed with their outcome: one’s own, and for a lead everybody’s', async () => {
  await service.asOwner("update desk_decisions set applied_at = decided_at, effect = 'done' where verdict = 'publish'")
  await service.asOwner(
    "update desk_decisions set applied_at = decided_at, effect = 'nothing_to_do' where verdict = 'low_quality'",
  )
  const own = await read(bo, '/decisions')
  assert.match(own, /Your decisions .*Rejected as low quality no effect Review of an? \w+/)
  assert.match(await (await bo.get('/decisions')).text(), /<span class="beginning" [^>]*data-content-trust/)
  assert.doesNotMatch(own, /Published/)
  const all = await read(lead, '/decisions')
  assert.match(all, /All decisions .*Published Review of an? \w+ (?:Harbour Notices|نشرة الميناء|<b on)/)
  assert.match(await read(lead, '/decisions?whose=mine'), /No decisions yet/)
})
