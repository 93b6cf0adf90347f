import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, suite, test } from 'node:test'
import { kinds } from '../../src/kinds/index.ts'
import { MailError } from '../../src/platform/mail/mailer.ts'
import { relayPurges } from '../../src/relay/relay-message.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { headersOf, readMail, routeOf, startMailServer, type Taken } from '../support/mail-server.ts'
import { callTool } from '../support/mcp/call-tool.ts'
import { about, openRelayFixture, type Person, type RelayFixture, words } from '../support/posts/relay-fixture.ts'

let service: Service
let post: Awaited<ReturnType<typeof startMailServer>>
let here: RelayFixture
let site: string
let seller: Person
let buyer: Person

before(async () => {
  post = await startMailServer()
  service = await startService({ judges: true, settings: { SMTP_URL: post.url }, relaysPerAccount: 20 })
  here = openRelayFixture(service)
  site = here.site
  seller = await here.person('Wheel Works')
  buyer = await here.person('Cargo Collector')
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await post[Symbol.asyncDispose]()
})

/** All emails that arrive meanwhile. */
async function mailsOf(work: () => Promise<unknown>): Promise<Taken[]> {
  const before = post.taken.length
  await work()
  await service.settle()
  return post.taken.slice(before)
}

const shownIn = async (mail: Taken) => {
  const { text = '', html = '' } = await readMail(mail)
  return text + html
}

suite('a message to the seller', () => {
  test('is sent by email from the service, and replies go to its sender', async () => {
    const id = await here.seedAd(seller.id)
    const [mail, ...more] = await mailsOf(async () => {
      const { response, json } = await here.write(buyer.key, about(id))
      assert.deepEqual([response.status, json], [202, { status: 'sent' }])
    })
    assert.ok(mail && more.length === 0)
    const { from, to, replyTo, subject, text = '' } = await readMail(mail)
    assert.deepEqual(from, { name: 'Broadside', address: 'hello@localhost' })
    assert.deepEqual([to, replyTo], [[{ name: '', address: seller.email }], [{ name: '', address: buyer.email }]])
    assert.equal(subject, 'A message about your ad: Cargo bicycle, two years old')
    assert.deepEqual(routeOf(mail), { from: 'bounces@localhost', to: [seller.email] })
    for (const said of [
      `> ${words}`,
      '“Cargo Collector”',
      'we have not checked it',
      'reveals your address',
      `/p/${id}`,
    ])
      assert.ok(text.includes(said), said)
    const row = (await here.rows()).at(-1)
    assert.equal(row?.message, null)
    assert.ok(row?.sent_at)
    assert.ok(text.includes(row.id))
    assert.ok(headersOf(mail).some(([name, value]) => name === 'Message-ID' && value === `<${row.id}@localhost>`))
  })

  test('shows neither address anywhere else', async () => {
    const id = await here.seedAd(seller.id)
    const before = service.logLines.length
    const said: string[] = []
    const mails = await mailsOf(async () => {
      said.push((await here.write(buyer.key, about(id))).text)
      said.push((await callTool(site, 'contact_seller', about(id), { apiKey: buyer.key })).body)
    })
    for (const person of [seller, buyer]) {
      const events = await fetch(`${site}/v1/events`, { headers: { authorization: `Bearer ${person.key}` } })
      said.push(await events.text(), await (await fetch(`${site}/v1/posts/${id}`)).text())
    }
    for (const mail of mails) said.push(await shownIn(mail))
    const jobs = await service.asOwner<{ data: object }>(
      "select data from pgboss.job_common where name = 'relay-message'",
    )
    said.push(JSON.stringify(jobs), ...service.logLines.slice(before))
    assert.equal(mails.length, 2)
    for (const { email } of [seller, buyer])
      assert.deepEqual(
        said.filter((text) => text.includes(email)),
        [],
      )
    assert.deepEqual(
      said
        .slice(0, 2)
        .concat(service.logLines.slice(before))
        .filter((text) => text.includes(words)),
      [],
    )
  })

  test('is not sent twice when repeated with its key', async () => {
    const id = await here.seedAd(seller.id)
    const once = 'about-the-bicycle'
    const mails = await mailsOf(async () => {
      await Promise.all([here.write(buyer.key, about(id), { once }), here.write(buyer.key, about(id), { once })])
      const { response, json } = await here.write(buyer.key, about(id), { once })
      assert.deepEqual([response.headers.get('idempotent-replayed'), json], ['true', { status: 'sent' }])
      assert.equal(
        await here.codeOf(buyer.key, about(id, `${words} Or on Sunday.`), { once }),
        '422 idempotency_key_reused',
      )
    })
    assert.equal(mails.length, 1)
  })

  test('is shown as written, without markup and without links', async () => {
    const id = await here.seedAd(seller.id)
    const message = '<b>Hello</b> & see https://pay.example/now\n\n<img src=x onerror=alert(1)> write to me@pay.example'
    const [mail] = await mailsOf(() => here.write(buyer.key, about(id, message)))
    assert(mail)
    const { html = '', text = '' } = await readMail(mail)
    assert.match(html, /&(?:lt|#60);img src&#61;x/)
    assert.doesNotMatch(html, /<b>|<img|href="https:\/\/pay/)
    assert.doesNotMatch(html + text, /pay\.example|https:\/\/pay|me@pay/)
    assert.ok(text.replaceAll('\u2060', '').includes(message.replaceAll(/^/gm, '> ')))
  })
})

suite('no message is sent', () => {
  test('for an ad that cannot be answered, and the reason reveals nothing about the seller', async () => {
    const closed = await here.person('Gone')
    const silent = await here.person('Silent', false)
    const long = new Date(service.clock.now().getTime() - 31 * 86_400_000)
    const ads: [string, string][] = [
      ['post_01jcmzq8e5f7r9t2v4x6y8z0ab', '404 post_not_found'],
      [await here.stageIn('published', seller.id, 'story'), '404 post_not_found'],
      [await here.stageIn('review', seller.id), '404 post_not_found'],
      [await here.stageIn('rejected', seller.id), '404 post_not_found'],
      [await here.stageIn('deleted', seller.id), '404 post_not_found'],
      [await here.stageIn('review', buyer.id), '409 invalid_state'],
      [await here.stageIn('removed', seller.id), '410 post_gone'],
      [await here.seedAd(seller.id, long), '409 invalid_state'],
      [await here.seedAd(closed.id), '409 invalid_state'],
      [await here.seedAd(silent.id), '409 invalid_state'],
    ]
    await here.become(closed.id, 'closed')
    const mails = await mailsOf(async () => {
      for (const [id, expected] of ads) assert.equal(await here.codeOf(buyer.key, about(id)), expected)
    })
    assert.deepEqual(mails, [])
    const details = await Promise.all(
      ads.slice(-2).map(async ([id]) => (await here.write(buyer.key, about(id))).json.detail),
    )
    const unreachable = 'The seller cannot be reached. Retrying will not help.'
    assert.deepEqual(details, [unreachable, unreachable])
  })

  test('before the owner has verified the reply address', async () => {
    const stranger = await here.person('Stranger', false)
    const id = await here.seedAd(seller.id)
    const before = await here.rows()
    const { response, json } = await here.write(stranger.key, about(id))
    assert.deepEqual([response.status, json.code, json['for_human']], [403, 'email_unverified', true])
    assert.match(String(json['account_url']), /\/o\//)
    const { problem } = await callTool(site, 'contact_seller', about(id), { apiKey: stranger.key })
    assert.deepEqual([problem?.code, problem?.['for_human']], ['email_unverified', true])
    assert.deepEqual(await here.rows(), before)
    await here.verify(stranger.id, service.clock.now())
    assert.equal(await here.codeOf(stranger.key, about(id)), '202 sent')
  })

  test('from another site, by a banned account, or against the rules', async () => {
    const id = await here.seedAd(seller.id)
    for (const { name } of kinds.filter(({ acceptsRelay }) => !acceptsRelay)) {
      const at = String(service.baseUrls[name])
      assert.equal(await here.codeOf(buyer.key, about(id), { at }), '404 not_found')
      const { error } = await callTool(at, 'contact_seller', about(id), { apiKey: buyer.key })
      assert.equal(error?.message, 'This server has no tool with that name.')
    }
    const banned = await here.person('Banned')
    await here.become(banned.id, 'banned')
    assert.equal(await here.codeOf(banned.key, about(id)), '403 account_banned')
    const wrong = ['Too short.', 'x'.repeat(2_001), `${words}\u202e`, `${words}\u0000`, ' '.repeat(30)]
    for (const message of wrong) assert.equal(await here.codeOf(buyer.key, about(id, message)), '422 validation_failed')
    assert.equal(await here.codeOf(buyer.key, { ...about(id), to: seller.email }), '422 validation_failed')
    const secret = `-----BEGIN PRIVATE KEY-----\n${randomBytes(64).toString('base64')}`
    for (const message of [`${words} prefilter-refuse-spam`, secret])
      assert.equal(await here.codeOf(buyer.key, about(id, message)), '422 prefilter_refused')
  })

  test('more than twenty times a day, through either interface; a refusal does not count', async () => {
    const eager = await here.person('Eager')
    const [id, gone] = [await here.seedAd(seller.id), await here.stageIn('removed', seller.id)]
    assert.equal(await here.codeOf(eager.key, about(gone)), '410 post_gone')
    for (let count = 0; count < 19; count++) assert.equal(await here.codeOf(eager.key, about(id)), '202 sent')
    const last = { ...about(id), idempotency_key: 'the-last-of-the-day' }
    const { result } = await callTool(site, 'contact_seller', last, { apiKey: eager.key })
    assert.deepEqual(result?.structuredContent, { status: 'sent' })
    const repeated = await callTool(site, 'contact_seller', last, { apiKey: eager.key })
    assert.deepEqual(repeated.result?.structuredContent, { status: 'sent' }, 'a repeat needs no further use')
    const { response, json } = await here.write(eager.key, about(id))
    assert.deepEqual([response.status, json.code], [429, 'rate_limited'])
    assert.ok(Number(response.headers.get('retry-after')) > 0)
    const { problem } = await callTool(site, 'contact_seller', about(id), { apiKey: eager.key })
    assert.equal(problem?.code, 'rate_limited')
    await service.settle()
  })

  test('more than twenty times a day from one mailbox, across all its accounts', async () => {
    const [one, other, busy] = [await here.person('One'), await here.person('Other'), await here.person('Busy')]
    const spelling = one.email.replace('@', '+ads@').toUpperCase()
    await service.asOwner('update accounts set email = $2 where id = $1', [other.id, spelling])
    const [id, gone] = [await here.seedAd(busy.id), await here.stageIn('removed', busy.id)]
    assert.equal(await here.codeOf(one.key, about(gone)), '410 post_gone')
    for (let count = 0; count < 10; count++)
      for (const { key } of [one, other]) assert.equal(await here.codeOf(key, about(id)), '202 sent')
    for (const { key } of [one, other]) {
      const { response, json } = await here.write(key, about(id))
      assert.deepEqual([response.status, json.code], [429, 'rate_limited'])
      assert.ok(Number(response.headers.get('retry-after')) > 0)
    }
    assert.equal(await here.codeOf(buyer.key, about(id)), '202 sent')
    await service.settle()
  })

  test('more than fifty times a day to one seller, from anyone; the senders are not revealed', async () => {
    const [wanted, other] = [await here.person('Wanted'), await here.person('Other')]
    const [id, second] = [await here.seedAd(wanted.id), await here.seedAd(other.id)]
    assert.equal(await here.codeOf(buyer.key, about(id)), '202 sent')
    await service.asOwner('update allowance_uses set used = 49 where subject = $1', [wanted.id])
    const answers = await Promise.all([1, 2, 3].map(() => here.write(buyer.key, about(id))))
    assert.deepEqual(answers.map(({ json }) => json.code ?? 'sent').sort(), ['rate_limited', 'rate_limited', 'sent'])
    const { response, json } = await here.write((await here.person('Late')).key, about(id))
    assert.deepEqual([response.status, json.code], [429, 'rate_limited'])
    assert.doesNotMatch(String(json.detail), /\d/)
    assert.ok(Number(response.headers.get('retry-after')) > 0)
    assert.equal(await here.codeOf(buyer.key, about(second)), '202 sent')
    await service.settle()
  })
})

const rowOf = async (id: string) => (await here.rows()).find((row) => row.id === id)

suite('during delivery', () => {
  test('a mail server that is down is retried, and a permanent refusal is not', async () => {
    const id = await here.store(await here.seedAd(seller.id), buyer.id, seller.id)
    for (const fault of [new MailError('unreachable'), new MailError('refused', 451)]) {
      await assert.rejects(here.carryInto(fault, id), fault)
      assert.equal((await rowOf(id))?.message, words)
    }
    const [line = '', ...more] = await here.carryInto(new MailError('refused', 550), id)
    const { level, mail, kind, status } = JSON.parse(line)
    assert.deepEqual([level, mail, kind, status], [40, `<${id}@localhost>`, 'refused', 550])
    assert.deepEqual([more, line.includes('people.example')], [[], false])
    const { message, sent_at } = (await rowOf(id)) ?? {}
    assert.deepEqual([message, sent_at], [null, null])
    assert.deepEqual(await here.carryInto(new MailError('unreachable'), id), [])
  })

  test('a ban, a deletion or a closed account stops it, and the text is erased', async () => {
    const never = new MailError('failed')
    const changes: ((post: string, from: string) => Promise<unknown>)[] = [
      (_, from) => here.become(from, 'banned'),
      (_, from) => here.become(from, 'closed'),
      (_, from) => here.verify(from, null),
      (postId) => service.asOwner("update posts set status = 'removed', listed = false where id = $1", [postId]),
    ]
    for (const change of changes) {
      const [postId, { id: from }] = [await here.seedAd(seller.id), await here.person('Sender')]
      const id = await here.store(postId, from, seller.id)
      await change(postId, from)
      await here.carryInto(never, id)
      const { message, sent_at } = (await rowOf(id)) ?? {}
      assert.deepEqual([message, sent_at], [null, null])
    }
  })

  test('undeliverable texts are erased, and after a month the sender is forgotten', async () => {
    const id = await here.store(await here.seedAd(seller.id), buyer.id, seller.id)
    const purge = async (days: number) => {
      const at = new Date(service.clock.now().getTime() + days * 86_400_000)
      for (const step of Object.values(relayPurges)) await step(service.workerDb, at)
    }
    await purge(2)
    assert.equal((await rowOf(id))?.message, words)
    await purge(4)
    assert.equal((await rowOf(id))?.message, null)
    await purge(31)
    assert.deepEqual(await here.rows(), [])
  })

  test('the API cannot read the message text', async () => {
    await assert.rejects(service.db.selectFrom('relayed_messages').select('message').execute(), /permission denied/)
  })
})
