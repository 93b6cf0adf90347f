import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { thresholds } from '../../src/moderation/decisions/thresholds.ts'
import { policyCategoryIds } from '../../src/policy/policy.ts'
import { openStaff, type Staff } from '../../tooling/clients/staff.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { caseKinds, seedCases } from '../../tooling/fixtures/desk-cases.ts'
import { read, sentTo } from '../support/desk/read-pages.ts'

let service: Service
let ada: Staff
/** Twelve reviews, of each kind three; reports, appeals, checks, edits, audits. */
let keys: string[]
before(async () => {
  service = await startService()
  ada = await openStaff(service)
  keys = await seedCases(service, { reviews: 12, reports: 4, appeals: 4, checks: 4, edits: 2, audits: 2 })
})
after(() => service?.[Symbol.asyncDispose]())

const markup = async (path: string) => (await ada.get(path)).text()
const keysOf = (kind: string) => keys.filter((key) => key.startsWith(kind))
const postOf = (key: string) => String(key.split(':')[1])
/** Sets every text of a post. */
const write = (key: string, text: string) =>
  service.asOwner(
    `update posts set content = content || (
       select jsonb_object_agg(field, to_jsonb($2::text)) from jsonb_object_keys(content) field
       where field in ('text', 'title', 'body')
     ) where id = $1`,
    [postOf(key), text],
  )
/** Sets the strikes of a post's author, whose account is not banned. */
const setStrikes = (key: string, strikes: number) =>
  service.asOwner(
    `update accounts set strikes = $2, standing = 'good', banned_for_strikes = false
     where id = (select account_id from posts where id = $1)`,
    [postOf(key), strikes],
  )

test('each row of the queue begins with the first line of its text, as text and on one line', async () => {
  const [review = ''] = keys
  await write(review, `</p><script>alert(1)</script>\n\n${'👩‍👩‍👧‍👦'.repeat(300)}`)
  const page = await markup('/')
  const lines = [...page.matchAll(/<p class="beginning" dir="auto" lang="" data-content-trust="[^"]+">([^<]*)<\/p>/g)]
  assert.equal(lines.length, keys.length)
  assert.ok(lines.some(([, line]) => /&#60;script&#62;alert\(1\)&#60;\/script&#62; (👩‍👩‍👧‍👦)+…$/.test(String(line))))
  assert.ok(lines.every(([, line]) => !String(line).includes('\n')))
})

test('the row of an edit begins with the edited text', async () => {
  const edit = String(keys.filter((key) => key.endsWith(':1') && key.startsWith('review')).at(0))
  await write(edit, 'What is public now')
  assert.doesNotMatch(await read(ada, '/'), /What is public now/)
})

test('the queue says in which order it is: urgent, due soon, by harm and age, audits last', async () => {
  const page = await read(ada, '/')
  assert.match(page, /Urgent harm comes first, then cases due within 6 hours, then the rest by harm and age\./)
  const headings = ['Urgent harm always', 'High harm oldest', 'Medium or unknown harm oldest', 'Audits last']
  const places = headings.map((heading) => page.indexOf(heading))
  assert.ok(
    places.every((place) => place > 0),
    String(places),
  )
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  )
  service.clock.setOffset(23 * 3_600_000)
  // The session of the other member has ended by then.
  assert.match(await read(await openStaff(service), '/'), /Urgent harm .*Due within 6 hours most harmful first/)
  service.clock.setOffset(0)
})

test('only categories at or above their threshold are listed, each with its threshold', async () => {
  const [review = ''] = keys
  const classifier = { ...Object.fromEntries(policyCategoryIds.map((id) => [id, 0.26])), spam: 0.9, sexual: 0.3 }
  const scores = { row: 'rule_hit', thresholds: thresholds.version, rules: { spam: 0.9, scam_fraud: 0.3 }, classifier }
  await service.asOwner('update moderation_decisions set scores = $2 where post_id = $1', [
    postOf(review),
    JSON.stringify(scores),
  ])
  const page = await read(ada, `/cases/${review}`)
  assert.match(page, /Rules Spam 90%, threshold 40% Below threshold \(1\) Scams and fraud 30%, threshold 40%/)
  assert.match(
    page,
    /Local model Spam 90%, threshold 30% Sexual content 30%, threshold 30% Below threshold \(11\) .*Sexual content about minors 26%/,
  )
  const bars = [...(await markup(`/cases/${review}`)).matchAll(/<rect class="tick" x="([\d.]+)"/g)]
  assert.deepEqual([...new Set(bars.map(([, x]) => x))], ['39.5', '29.5'])
})

test('words that match a rule are marked in every kind of post, with the name of the category', async () => {
  const texts = new Map<string, string>()
  for (const key of keysOf('review').slice(0, caseKinds.length)) {
    await write(key, 'Hello <b>you</b>:\nguaranteed profits, https://a.example/ for all.')
    texts.set(key, await markup(`/cases/${key}`))
  }
  assert.equal(texts.size, caseKinds.length)
  for (const [key, page] of texts) {
    assert.match(page, /<mark title="Matches a rule: Scams and fraud">guaranteed profits<\/mark>/, key)
    assert.match(page, /&#60;b&#62;you&#60;\/b&#62;/, key)
    await read(ada, `/cases/${key}`)
  }
  const [first = ''] = texts.keys()
  assert.match(await read(ada, `/cases/${first}`), /Marked words match a rule: Scams and fraud\./)
  await write(first, 'Gu\u0430r\u0430nteed pr\u043efits for all of you, my friends of the harbour.')
  assert.match(await markup(`/cases/${first}`), /<mark [^>]*>Gu\u0430r\u0430nteed pr\u043efits<\/mark>/)
  await write(first, 'The ferry leaves at nine.')
  assert.doesNotMatch(await markup(`/cases/${first}`), /<mark/)
})

test('red is for what can cost the author ten times the fee; low quality is neutral', async () => {
  const [review = ''] = keys
  await setStrikes(review, 1)
  await sentTo(ada, `/cases/${review}/claim`)
  const page = await markup(`/cases/${review}`)
  for (const [tone, label] of [
    ['good', 'Publish'],
    ['bad', 'Reject …'],
    ['neutral', 'Low quality'],
  ])
    assert.match(page, new RegExp(`class="button verdict ${tone}"[^>]*>${label} `))
  assert.match(page, /Scams and fraud.{0,80}<small class="bad">10× fee \+ strike</)
  assert.doesNotMatch(page, /bans? the account|\+ ban/)
  await service.asOwner('delete from desk_claims')
})

test('the reviewer reads before the decision that an abusive category bans the author', async () => {
  const [review = ''] = keys
  await sentTo(ada, `/cases/${review}/claim`)
  await setStrikes(review, 2)
  const page = await markup(`/cases/${review}`)
  assert.match(page, /<p class="warning">Strike 3 of 3: an abusive category bans the account\.<\/p>/)
  assert.match(page, /Scams and fraud.{0,80}<small class="bad">10× fee \+ strike \+ ban</)
  assert.match(page, /2 of 3 strikes/)
  await service.asOwner('delete from desk_claims')
})

test('the queue has a column for holders only while someone holds a case', async () => {
  assert.doesNotMatch(await read(ada, '/'), /Held by/)
  await sentTo(ada, `/cases/${keys[0]}/claim`)
  assert.match(await read(ada, '/'), /Held by .* you /)
  await service.asOwner('delete from desk_claims')
})

test('an appeal offers to restore a removed post, and to refund a rejected one', async () => {
  const words = { removed: 'Overturn: restore post', rejected: 'Overturn: refund fee' }
  for (const key of keysOf('appeal')) {
    const [post] = await service.asOwner<{ status: keyof typeof words }>('select status from posts where id = $1', [
      postOf(key),
    ])
    await sentTo(ada, `/cases/${key}/claim`)
    const page = await read(ada, `/cases/${key}`)
    for (const [status, label] of Object.entries(words))
      assert.equal(page.includes(label), status === post?.status, `${post?.status} ${label}`)
    assert.match(page, /Keep decision/)
    await service.asOwner('delete from desk_claims')
  }
})
