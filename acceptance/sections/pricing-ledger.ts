// Money: spec "Prices", "Account standing", 402; decisions 4.
import { accountRecord, freshAccount } from '../accounts.ts'
import {
  equal,
  hasStatus,
  holds,
  includes,
  isArray,
  isBoolean,
  isInteger,
  isOkJson,
  isProblem,
  isString,
  oneOf,
} from '../assert.ts'
import { fixture, type Json, section } from '../checks.ts'
import {
  abusive,
  abusiveUnpaid,
  banned,
  bodies,
  deletedPost,
  dryRun,
  inReview,
  lowQuality,
  policyCategories,
  published,
  rich,
  submit,
  submitUntil,
  verdictText,
} from '../fixtures.ts'
import { messageText } from '../harmless.ts'
import { at } from '../http.ts'
import { kinds } from '../targets.ts'

const test = section('pricing-ledger')

const price: Record<string, number> = { message: 20_000, story: 100_000, classified: 200_000, event: 100_000 }
const topUps = [5_000_000, 10_000_000, 25_000_000, 50_000_000]

function numbersIn(node, found = new Set()) {
  if (typeof node === 'number') found.add(node)
  else if (node && typeof node === 'object') for (const value of Object.values(node)) numbersIn(value, found)
  return found
}

// The documents -----------------------------------------------------------------------------------
for (const kind of kinds)
  test(`pricing-${kind}: spec Endpoints: /v1/pricing has post, link surcharge, edit, abuse multiplier, search and top-up amounts in micro-dollars (${kind} site)`, async () => {
    // Field names of the price list are not settled: the amounts must be there, as numbers.
    const numbers = numbersIn(isOkJson(await at(kind).get('/v1/pricing')))
    const expected = [price[kind], 10_000, 10, 1_000, ...topUps]
    equal(expected.filter((amount) => !numbers.has(amount)).join(', '), '', 'amounts missing from /v1/pricing')
  })
for (const path of ['/v1/pricing', '/v1/policy'])
  test(`${path.slice(4)}-key-optional: decisions 10: ${path} takes a key but needs none; a wrong one is 401 invalid_api_key`, async () => {
    const account = await rich()
    for (const key of [account.key, undefined]) hasStatus(await at('message').get(path, { key }), 200)
    isProblem(await at('message').get(path, { key: `bsk_${'A'.repeat(49)}` }), 401, 'invalid_api_key')
  })

// What a post costs -------------------------------------------------------------------------------
for (const kind of kinds) {
  test(`price-${kind}: decisions 4: a ${kind} costs ${price[kind].toLocaleString('en')} micro-dollars`, async () => {
    const account = await rich()
    equal(isOkJson(await dryRun(kind, bodies[kind](), account)).charge.total_micros, price[kind])
  })
  test(`charged-${kind}: decisions 6: the status record of a ${kind} has charged_micros and refunded_micros`, async () => {
    const post = await published[kind]()
    equal(post.record.charged_micros, price[kind])
    equal(post.record.refunded_micros, 0)
  })
}
test('charged-at-once: spec States: the post fee is charged at submission', async () => {
  const account = await freshAccount({ micros: 100_000 })
  hasStatus(await submit('message', bodies.message(), account), 202)
  equal(await account.balance(), 80_000, 'balance_micros right after 202')
})
const withLinks = (text) => ({ text: `${messageText()} ${text}` })
for (const [id, text, links] of [
  ['one-https', 'See https://example.com/tram for the map.', 1],
  ['one-http', 'See http://example.com/tram for the map.', 1],
  ['two', 'See https://example.com/tram and https://example.org/map for more.', 2],
  ['none-without-scheme', 'Write to the desk, or look at example.com.', 0],
  ['none-for-ftp', 'The timetable lies at ftp://example.com/timetable for everybody.', 0],
] as Json[][])
  test(`link-${id}: decisions 4: 10,000 for each http(s) link in text (${links})`, async () => {
    const account = await rich()
    equal(isOkJson(await dryRun('message', withLinks(text), account)).charge.total_micros, 20_000 + links * 10_000)
  })
test('link-charged: decisions 4: the link surcharge is really taken', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const reply = await submit('message', withLinks('See https://example.com/tram for the map.'), account)
  hasStatus(reply, 202)
  equal(await account.balance(), 70_000, 'balance_micros')
  equal(isOkJson(await at('message').get(`/v1/posts/${reply.json.id}`, { key: account.key })).charged_micros, 30_000)
})
for (const kind of ['story', 'classified', 'event'])
  test(`link-free-${kind}: decisions 4: the link surcharge is on messages, not on a ${kind}`, async () => {
    const account = await rich()
    const body = bodies[kind]()
    body.body += '\n\nMore at https://example.com/more and https://example.org/more.'
    equal(isOkJson(await dryRun(kind, body, account)).charge.total_micros, price[kind])
  })

// 402 ---------------------------------------------------------------------------------------------
test('402-shape: spec Errors: 402 insufficient_balance with account_url and for_human: true (decisions 10: required_micros, balance_micros)', async () => {
  const account = await freshAccount()
  const problem = isProblem(await submit('message', bodies.message(), account), 402, 'insufficient_balance')
  equal(problem.required_micros, 20_000)
  equal(problem.balance_micros, 0)
})
test('402-boundary: spec Errors: a balance of 19,999 cannot cover a message, 20,000 can', async () => {
  const account = await freshAccount({ micros: 19_999 })
  const problem = isProblem(await submit('message', bodies.message(), account), 402, 'insufficient_balance')
  equal(problem.balance_micros, 19_999)
  equal(await account.balance(), 19_999, 'balance after the refusal')
  await account.credit(1)
  hasStatus(await submit('message', bodies.message(), account), 202)
  equal(await account.balance(), 0, 'balance after the post')
})
test('402-link: spec Errors: the balance must cover the link surcharge too', async () => {
  const account = await freshAccount({ micros: 20_000 })
  equal(
    isProblem(
      await submit('message', withLinks('See https://example.com/tram for the map.'), account),
      402,
      'insufficient_balance',
    ).required_micros,
    30_000,
  )
})
for (const kind of ['story', 'classified', 'event'])
  test(`402-${kind}: spec Errors: 402 insufficient_balance on the ${kind} site`, async () => {
    const account = await freshAccount()
    equal(
      isProblem(await submit(kind, bodies[kind](), account), 402, 'insufficient_balance').required_micros,
      price[kind],
    )
  })
test('never-below-zero: decisions 4: the balance never goes below zero: ten posts at once on money for five', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => submit('message', bodies.message(), account, { paced: false })),
  )
  const statuses = replies.map(({ status }) => status).toSorted()
  equal(statuses.join(' '), '202 202 202 202 202 402 402 402 402 402', 'statuses')
  equal(await account.balance(), 0, 'balance_micros')
})

// Verdicts ----------------------------------------------------------------------------------------
test('low-quality-refund: spec States: a low-quality rejection is refunded', async () => {
  const post = await lowQuality()
  equal(post.before.balance_micros, 100_000, 'balance before')
  equal(post.after.balance_micros, 100_000, 'balance after')
  equal(post.record.refunded_micros, 20_000)
  equal(post.record.rejection.refunded, true)
})
test('low-quality-no-strike: spec States: a low-quality rejection is no abuse', async () => {
  const post = await lowQuality()
  equal(post.after.strikes, 0)
  equal(post.record.rejection.abusive, false)
  equal(post.record.rejection.strike, false)
})
const lowQualityWithLink = fixture('a low-quality message with a link', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const post = await submitUntil(
    'rejected',
    'message',
    { text: `${verdictText('verdict-low-quality')} https://example.com/x` },
    account,
  )
  return { ...post, after: await accountRecord(account.key) }
})
test('low-quality-refunds-everything: decisions 4: everything charged for that post comes back, the link surcharge too', async () => {
  const post = await lowQualityWithLink()
  equal(post.after.balance_micros, 100_000)
  equal(post.record.refunded_micros, 30_000)
})
test('abuse-ten-times: spec 9: abuse is priced at 10 times the post price', async () => {
  const post = await abusive()
  equal(post.before.balance_micros - post.after.balance_micros, 200_000, 'micro-dollars taken in all')
  equal(post.after.owed_micros, 0)
  equal(post.record.charged_micros, 200_000, 'charged_micros, which has the penalty in it (decisions 14)')
  equal(post.record.rejection.refunded, false)
})
test('abuse-strike: spec Account standing: each abusive post adds a strike', async () => {
  const post = await abusive()
  equal(post.after.strikes, post.before.strikes + 1)
  equal(post.after.standing, 'good')
  equal(post.record.rejection.abusive, true)
  equal(post.record.rejection.strike, true)
})
const abusiveAd = fixture('an abusive classified ad', async () => {
  const account = await freshAccount({ micros: 3_000_000 })
  const ad = bodies.classified()
  ad.body += ` verdict-reject-${(await policyCategories()).abusive}`
  await submitUntil('rejected', 'classified', ad, account)
  return accountRecord(account.key)
})
test("abuse-ten-times-classified: spec Prices: the multiplier is of the post's own price (classified: 2,000,000 in all)", async () => {
  const record = await abusiveAd()
  equal(record.balance_micros, 1_000_000, 'balance_micros of 3,000,000')
})
test('review-keeps-the-fee: spec States: a post in review stays charged and adds no strike', async () => {
  const post = await inReview()
  equal(post.after.balance_micros, 80_000)
  equal(post.after.strikes, 0)
})
test('delete-no-refund: spec States: DELETE /v1/posts/{id} does not refund the fee', async () => {
  const post = await deletedPost()
  equal(post.after.balance_micros, post.before.balance_micros)
})

// Owed --------------------------------------------------------------------------------------------
test('owed: decisions 4: what the balance cannot cover is booked as owed; the balance stays at zero', async () => {
  const post = await abusiveUnpaid()
  equal(post.after.balance_micros, 0)
  equal(post.after.owed_micros, 180_000)
  equal(post.after.strikes, 1)
})
test('owed-stops-posts: decisions 4: paid operations answer 402 until what is owed is settled (decisions 14: required_micros is the price plus what is owed)', async () => {
  const post = await abusiveUnpaid()
  const problem = isProblem(await submit('message', bodies.message(), post.account), 402, 'insufficient_balance')
  equal(problem.required_micros, 200_000)
  equal(problem.balance_micros, 0)
})
test('owed-stops-nothing-else: decisions 4: while something is owed nothing but a paid operation answers 402', async () => {
  const post = await abusiveUnpaid()
  const { key } = post.account
  for (const path of [
    '/v1/account',
    '/v1/posts',
    `/v1/posts/${post.id}`,
    '/v1/webhooks',
    '/v1/events',
    '/v1/search?q=tram',
  ])
    hasStatus(await at('message').get(path, { key }), 200)
  hasStatus(await at('message').patch('/v1/account', { auto_recharge: { enabled: false } }, { key }), 200)
  hasStatus(
    await at('message').post(
      `/v1/posts/${post.id}/appeal`,
      { message: 'Please look again: this is a notice about the ferry.' },
      { key },
    ),
    202,
  )
})
test("owed-settled: decisions 4: what is owed is taken first from the next top-up or operator's credit", async () => {
  const post = await abusiveUnpaid()
  const before = await accountRecord(post.account.key)
  await post.account.credit(500_000)
  const after = await accountRecord(post.account.key)
  equal(after.balance_micros - after.owed_micros, before.balance_micros - before.owed_micros + 500_000)
  equal(after.owed_micros, 0)
  hasStatus(await submit('message', bodies.message(), post.account), 202)
})

// Three strikes -----------------------------------------------------------------------------------
test('two-strikes: spec Account standing: two strikes do not ban', async () => {
  const { afterTwo } = await banned()
  equal(afterTwo.strikes, 2)
  equal(afterTwo.standing, 'good')
})
test('three-strikes: spec 9: three strikes ban the account', async () => {
  const { before, afterThree } = await banned()
  equal(afterThree.strikes, 3)
  equal(afterThree.standing, 'banned')
  equal(before.balance_micros - afterThree.balance_micros, 600_000, 'micro-dollars taken for three abusive posts')
})
test('banned-post: decisions 3: posting from a banned account answers 403 account_banned', async () => {
  const { account } = await banned()
  for (const kind of kinds) isProblem(await submit(kind, bodies[kind](), account), 403, 'account_banned')
})
test('banned-dry-run: decisions 6: a dry run gives exactly the error of the real call (403 account_banned)', async () => {
  const { account } = await banned()
  isProblem(await dryRun('message', bodies.message(), account), 403, 'account_banned')
})
test("banned-reads: decisions 3: a banned account's key reads its own records", async () => {
  const { account, good } = await banned()
  equal((await accountRecord(account.key)).standing, 'banned')
  equal(isOkJson(await at('message').get(`/v1/posts/${good.id}`, { key: account.key })).id, good.id)
  hasStatus(await at('message').get('/v1/posts', { key: account.key }), 200)
})
test('banned-before-json: decisions 14, order of refusals: the ban comes before JSON and validation', async () => {
  const { account } = await banned()
  for (const body of ['{"text":', { colour: 'red' }])
    isProblem(await submit('message', body, account), 403, 'account_banned')
})
test('banned-edit: decisions 3: editing from a banned account answers 403 account_banned', async () => {
  const { account, good } = await banned()
  isProblem(
    await at('message').patch(`/v1/posts/${good.id}`, { text: messageText() }, { key: account.key }),
    403,
    'account_banned',
  )
})
test('banned-relay: decisions 3: relaying from a banned account answers 403 account_banned', async () => {
  const { account } = await banned()
  const ad = await published.classified()
  isProblem(
    await at('classified').post('/v1/relay', { post_id: ad.id, message: messageText() }, { key: account.key }),
    403,
    'account_banned',
  )
})
test("banned-appeals: decisions 3: a banned account's key still appeals", async () => {
  const { account, third } = await banned()
  hasStatus(
    await at('message').post(
      `/v1/posts/${third.id}/appeal`,
      { message: 'Please look again: this is a notice about the ferry.' },
      { key: account.key },
    ),
    202,
  )
})
test("banned-recharge-off: decisions 3: a banned account's key still turns auto-recharge off", async () => {
  const { account } = await banned()
  equal(
    isOkJson(await at('message').patch('/v1/account', { auto_recharge: { enabled: false } }, { key: account.key }))
      .auto_recharge.enabled,
    false,
  )
})
test("banned-deletes: decisions 3: a banned account's key still deletes its posts", async () => {
  const { account, good } = await banned()
  equal(isOkJson(await at('message').delete(`/v1/posts/${good.id}`, { key: account.key })).status, 'deleted')
})
test("banned-asks-for-deletion: decisions 3: a banned account's key still asks for deletion", async () => {
  const { account } = await banned()
  equal(isOkJson(await at('message').delete('/v1/account', { key: account.key }), 202).status, 'awaiting_owner')
})

// The policy that names the categories --------------------------------------------------------------
test('policy: decisions 14: /v1/policy is {version, effective_at, quality_bar: [{id, rule}], categories: [{id, title, abusive, definition, examples: {violating, non_violating}}]}', async () => {
  const { all, document } = await policyCategories()
  holds(all.length >= 2, 'categories of /v1/policy', 'at least two', all)
  includes(['string', 'number'], typeof document.version, 'version')
  isString(document.effective_at)
  isArray(document.quality_bar)
  for (const entry of document.quality_bar)
    for (const member of ['id', 'rule']) isString(entry[member], `${member} of an entry of quality_bar`)
  for (const category of document.categories) {
    for (const member of ['id', 'title', 'definition']) isString(category[member], `${member} of a category`)
    isBoolean(category.abusive, `abusive of ${category.id}`)
    for (const member of ['violating', 'non_violating']) {
      isArray(category.examples?.[member], `examples.${member} of ${category.id}`)
      // Nobody prints violating examples of sexual content with minors.
      if (category.id !== 'sexual_minors')
        holds(category.examples[member].length > 0, `examples.${member} of ${category.id}`, 'at least one', 'none')
    }
  }
})
test('rejection-category: decisions 6: the category of a rejection is a category of the policy', async () => {
  const abuse = await abusive()
  const low = await lowQuality()
  const { all, abusive: expected } = await policyCategories()
  equal(abuse.record.rejection.category, expected)
  const { category } = low.record.rejection
  isString(category, 'rejection.category of the low-quality post')
  oneOf(
    category,
    all.map(({ name }) => name),
  )
})
test('amounts-are-integers: decisions, first paragraph: money is integers of micro-dollars everywhere', async () => {
  const account = await rich()
  const post = await published.message()
  const record = await accountRecord(account.key)
  for (const member of ['balance_micros', 'owed_micros']) isInteger(record[member], member, { min: 0 })
  for (const member of ['charged_micros', 'refunded_micros']) isInteger(post.record[member], member, { min: 0 })
  for (const number of numbersIn(isOkJson(await at('message').get('/v1/pricing'))))
    isInteger(number, 'a number in /v1/pricing')
})
