import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { type Owner, openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedKey } from '../support/accounts/create-key.ts'
import { seedTransfer } from '../support/owner-page/populated-account.ts'
import { seedPost } from '../support/posts/create-post.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service?.[Symbol.asyncDispose]())

const kindOf = (name: string): Kind => {
  const kind = kinds.find((one) => one.name === name)
  assert.ok(kind)
  return kind
}

/** An account whose two keys paid for a message, an event, a search and a penalty for the event. */
async function seedSpender() {
  const { id: accountId } = await service.createCustomer()
  const [first] = await service.asOwner<{ id: string }>(
    `update api_keys set name = '=cmd|''x''!A1' where account_id = $1 returning id`,
    [accountId],
  )
  const second = await seedKey(service, { accountId, slot: 2 })
  const message = await seedPost(service, kindOf('message'), { accountId, status: 'published' })
  const event = await seedPost(service, kindOf('event'), { accountId, status: 'rejected' })
  const byFirst = seedTransfer(service, { accountId, keyId: String(first?.id) })
  const bySecond = seedTransfer(service, { accountId, keyId: second.id })
  await byFirst(3, ['post', 'prepaid', 'revenue', 20_000, message])
  await byFirst(3, ['search', 'prepaid', 'revenue', 1_000, newId('post', service.clock.now())])
  await bySecond(2, ['post', 'prepaid', 'revenue', 100_000, event])
  await bySecond(2, ['penalty', 'prepaid', 'penalties', 900_000, event])
  return { accountId, keys: [String(first?.id), second.id], owner: await openOwner(service, accountId) }
}

const read = async (owner: Owner, path: string) => (await owner.get(path)).text()

/** What each part spent in all, by the heading of its column. */
function totalsOf(page: string): Record<string, string> {
  const [, table = ''] = page.split('<table class="spending">')
  const cells = (row: string | undefined, tag: string) =>
    [...String(row).matchAll(new RegExp(`<${tag}[^>]*class="amount"[^>]*>([^<]*)<`, 'g'))].map(([, text]) =>
      String(text),
    )
  const [heads, total] = table.split('</tr>')
  const sums = cells(total, 'td')
  return Object.fromEntries(cells(heads, 'th').map((label, index) => [label, String(sums[index])]))
}

test('spending is split by site, and by key with one link; a penalty counts for the key that sent the post', async () => {
  const { owner } = await seedSpender()
  const bySite = await read(owner, '/account')
  assert.deepEqual(totalsOf(bySite), { Messages: '$0.02', Events: '$1.00', Searches: '$0.001', Total: '$1.021' })
  assert.match(bySite, /<a href="\/account\?by=site#spending" aria-current="true">By site<\/a>/)
  const link = /<a href="(\/account\?by=key)#spending">By key<\/a>/.exec(bySite)?.[1]
  const byKey = await read(owner, String(link))
  const [, event = [], message = []] = Object.entries(totalsOf(byKey))
  assert.match(event.join(' '), /^seeded \(…\w{4}\) \$1\.00$/)
  assert.match(message.join(' '), /^&#61;cmd\|&#39;x&#39;!A1 \(…\w{4}\) \$0\.021$/)
  assert.match(byKey, /aria-current="true">By key</)
  assert.deepEqual(totalsOf(await read(owner, '/account?by=weather')), totalsOf(bySite))
})

test('the cap of all keys together is shown, unless one of them has none', async () => {
  const { owner, keys } = await seedSpender()
  const [first, second] = keys
  const cap = (id: string | undefined, micros: number | null) =>
    service.asOwner('update api_keys set daily_cap_micros = $2 where id = $1', [id, micros])
  assert.match(await read(owner, '/account'), /There is no daily cap: at least one key can spend the whole balance/)
  await cap(first, 500_000)
  assert.match(await read(owner, '/account'), /There is no daily cap/)
  await cap(second, 1_000_000)
  assert.match(await read(owner, '/account'), /Together, the keys can spend \$1\.50 a day\./)
  await service.asOwner('update api_keys set revoked_at = $2 where id = $1', [second, service.clock.now()])
  assert.match(await read(owner, '/account'), /Together, the keys can spend \$0\.50 a day\./)
})

test('overview and money page do not repeat each other', async () => {
  const { owner } = await seedSpender()
  const [overview, money] = [await read(owner, '/account'), await read(owner, '/account/money')]
  const idsOf = (page: string) => [...page.matchAll(/<h2[^>]* id="([\w-]+)"/g)].map(([, id = '']) => id)
  assert.deepEqual(idsOf(overview), ['balance', 'top-up', 'spending', 'latest', 'standing'])
  assert.deepEqual(idsOf(money), ['card', 'payments', 'refund'])
  assert.match(money, /href="\/account#top-up">Top up</)
  assert.match(money, /No refundable balance\./)
})

test('all transactions can be downloaded as CSV, and no cell of it runs as a formula', async () => {
  const { owner, accountId } = await seedSpender()
  await service.asOwner(
    `insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, entered_at)
     select 'txn_0000000000000000000000' || lpad(n::text, 4, '0'), $1, 'operator_credit', 'prepaid', n, 'credit', 'csv:' || n, $2
     from generate_series(1, 450) n`,
    [accountId, new Date('2026-01-01T00:00:00Z')],
  )
  const answer = await owner.get('/account/charges.csv')
  assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
  const day = service.clock.now().toISOString().slice(0, 10)
  assert.equal(answer.headers.get('content-disposition'), `attachment; filename="broadside-transactions-${day}.csv"`)
  const [head, ...lines] = (await answer.text()).split('\r\n')
  assert.equal(head, 'id,time,type,description,site,post_id,post_title,key,amount_usd,amount_micros')
  assert.equal(lines.pop(), '')
  assert.equal(lines.length, 455)
  const ids = lines.map((line) => line.split(',')[0] ?? '')
  assert.deepEqual(ids, ids.toSorted().toReversed())
  assert.equal(new Set(ids).size, 455)
  const paid = lines.filter((line) => line.includes(',post,Posting: message,message,post_'))
  assert.equal(paid.length, 1)
  assert.match(String(paid[0]), /,'=cmd\|'x'!A1,-0\.020000,-20000$/)
  const [penalty] = lines.filter((line) => line.includes(',penalty,'))
  assert.match(String(penalty), /,seeded,-0\.900000,/, 'the key that sent the post')
  assert.match(
    String(lines.at(-1)),
    /^txn_0{25}1,2026-01-01T00:00:00\.000Z,credit,Credit from Broadside,,,,,0\.000001,1$/,
  )
  const other = await openOwner(service, (await service.createAccount()).id)
  assert.equal(await read(other, '/account/charges.csv'), `${head}\r\n`)
  assert.match(await read(owner, '/account/charges'), /<a href="\/account\/charges\.csv" download>Download as CSV</)
})
