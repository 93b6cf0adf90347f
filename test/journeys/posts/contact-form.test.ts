import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, beforeEach, suite, test } from 'node:test'
import { kinds } from '../../../src/kinds/index.ts'
import { deleteExpiredReaderMessages } from '../../../src/relay/carry-reader-message.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { readMail, startMailServer, type Taken } from '../../support/mail-server.ts'
import { mainText, metaOf } from '../../support/pages/read-page.ts'
import { htmlFaults } from '../../support/pages/valid-formats.ts'
import { tricks } from '../../support/posts/hostile-text.ts'
import { about, openRelayFixture, type Person, type RelayFixture, words } from '../../support/posts/relay-fixture.ts'

let service: Service
let post: Awaited<ReturnType<typeof startMailServer>>
let here: RelayFixture
let seller: Person
before(async () => {
  post = await startMailServer()
  service = await startService({ judges: true, settings: { SMTP_URL: post.url } })
  here = openRelayFixture(service)
  seller = await here.person('Wheel Works')
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await post[Symbol.asyncDispose]()
})
beforeEach(async () => {
  for (const table of ['allowance_uses', 'reader_messages']) await service.asOwner(`delete from ${table}`)
})

const asPerson = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

async function ask(url: string, init: RequestInit = {}) {
  const response = await fetch(url, { ...init, headers: { ...asPerson, ...init.headers } })
  const page = await response.text()
  return { status: response.status, headers: response.headers, page, text: mainText(page) }
}

const formAt = (id: string) => `${here.site}/p/${id}/contact`
const written = { name: 'Rosa Reader', email: 'rosa@people.example', message: words }
const send = (id: string, changes: Record<string, string> = {}) =>
  ask(formAt(id), { method: 'POST', body: new URLSearchParams({ ...written, ...changes }) })
const press = (link: string) => ask(link, { method: 'POST', body: new URLSearchParams() })
const rows = () => service.asOwner<{ id: string; confirmed_at: Date | null }>('select * from reader_messages')

/** All emails that arrive meanwhile. */
async function mailsOf(work: () => Promise<unknown>): Promise<Taken[]> {
  const before = post.taken.length
  await work()
  await service.settle()
  return post.taken.slice(before)
}

async function linkIn(mail: Taken | undefined): Promise<string> {
  assert.ok(mail, 'no email')
  const { text = '' } = await readMail(mail)
  const link = /http\S+\/contact\/[\w-]{43}/.exec(text)?.[0]
  assert.ok(link, text)
  return link
}

/** Sends the form and returns the link from the email. */
async function linkFor(id: string, changes: Record<string, string> = {}): Promise<string> {
  const [mail] = await mailsOf(async () => assert.equal((await send(id, changes)).status, 202))
  return linkIn(mail)
}

suite('somebody without an account', () => {
  test('writes, confirms the address, and the seller gets the message with it', async () => {
    const id = await here.seedAd(seller.id)
    const form = await ask(formAt(id))
    assert.equal(form.status, 200)
    assert.match(form.text, /Contact the seller.*Cargo bicycle, two years old/)
    assert.equal(metaOf(form.page, 'robots'), 'noindex')
    assert.deepEqual([form.headers.get('cache-control'), form.headers.get('set-cookie')], ['no-store', null])
    assert.deepEqual(htmlFaults(form.page), [])

    const [first, ...more] = await mailsOf(async () => {
      const { status, page, text } = await send(id)
      assert.equal(status, 202)
      assert.match(text, /Check your inbox.*rosa@people\.example/)
      assert.deepEqual(htmlFaults(page), [])
    })
    assert.equal(more.length, 0)
    const link = await linkIn(first)

    const opened = await ask(link)
    assert.equal(opened.status, 200)
    assert.ok(opened.text.includes(words) && opened.text.includes('Rosa Reader'))
    assert.deepEqual(htmlFaults(opened.page), [])
    const scanned = await mailsOf(async () => {
      await ask(link)
      await ask(link, { method: 'HEAD' })
    })
    assert.deepEqual(scanned, [], 'opening the link sends nothing')

    const [message] = await mailsOf(async () => {
      const { status, text } = await press(link)
      assert.equal(status, 202)
      assert.match(text, /Message sent/)
    })
    assert.ok(message)
    const { to, replyTo, text = '' } = await readMail(message)
    assert.deepEqual([to?.[0]?.address, replyTo?.[0]?.address], [seller.email, 'rosa@people.example'])
    assert.ok(text.includes(`> ${words}`) && text.includes('“Rosa Reader”'))
    assert.deepEqual(await rows(), [], 'nothing is kept')
  })

  test('is never sent what others wrote before the address is confirmed', async () => {
    const id = await here.seedAd(seller.id)
    const [mail] = await mailsOf(() => send(id, { name: 'Cheap watches', message: `${words} Buy cheap watches.` }))
    assert.ok(mail)
    const { subject, text = '', html = '' } = await readMail(mail)
    assert.doesNotMatch(`${subject}${text}${html}`, /watches|bicycle/i)
  })

  test('can use a link once, within 24 hours, and only for its ad', async () => {
    const [id, other] = [await here.seedAd(seller.id), await here.seedAd(seller.id)]
    const link = await linkFor(id)
    const gone = /This link no longer works/
    for (const wrong of [
      link.replace(id, other),
      `${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`,
      `${formAt(id)}/short`,
    ])
      for (const seen of [await ask(wrong), await press(wrong)]) {
        assert.equal(seen.status, 410)
        assert.match(seen.text, gone)
        assert.deepEqual(htmlFaults(seen.page), [])
      }
    const mails = await mailsOf(async () => {
      const answers = await Promise.all([press(link), press(link), press(link)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 410, 410])
    })
    assert.equal(mails.length, 1)
    assert.match((await ask(link)).text, gone)

    const late = await linkFor(id)
    service.clock.setOffset(24 * 3_600_000)
    assert.match((await ask(late)).text, gone)
    assert.equal((await press(late)).status, 410)
    await deleteExpiredReaderMessages(service.workerDb, service.clock.now())
    assert.deepEqual(await rows(), [])
  })

  test('keeps the link when the message cannot be sent now', async () => {
    const wanted = await here.person('Wanted')
    const id = await here.seedAd(wanted.id)
    const link = await linkFor(id)
    await service.asOwner(
      `insert into allowance_uses (allowance, subject, day, used) values ('relays-per-seller', $1, $2, 50)`,
      [wanted.id, service.clock.now().toISOString().slice(0, 10)],
    )
    const { status, text } = await press(link)
    assert.equal(status, 429)
    assert.match(text, /This seller cannot receive more messages today\. The count resets at 00:00 UTC\./)
    await service.asOwner('delete from allowance_uses')
    assert.equal((await press(link)).status, 202)
    await service.settle()
  })

  test('shares the mailbox’s daily limit with the accounts of that mailbox', async () => {
    const [busy, owner] = [await here.person('Busy'), await here.person('Owner')]
    const id = await here.seedAd(busy.id)
    const links = [await linkFor(id, { email: owner.email }), await linkFor(id, { email: owner.email })]
    for (let count = 0; count < 19; count++) assert.equal(await here.codeOf(owner.key, about(id)), '202 sent')
    assert.equal((await press(String(links[0]))).status, 202)
    assert.equal((await press(String(links[1]))).status, 429)
    assert.equal(await here.codeOf(owner.key, about(id)), '429 rate_limited')
    await service.settle()
  })
})

suite('a form is refused', () => {
  test('with an explanation at each field, and what was written stays', async () => {
    const id = await here.seedAd(seller.id)
    const secret = `-----BEGIN PRIVATE KEY-----\n${randomBytes(64).toString('base64')}`
    const cases: [Record<string, string>, string, RegExp][] = [
      [{ name: '' }, 'name', /Your name is required/],
      [{ name: 'Broadside Support' }, 'name', /must not suggest that you are Broadside/],
      [{ email: 'nobody' }, 'email', /must be a valid email|must be an email address/],
      [{ message: 'Too short.' }, 'message', /Your message must have 20 to 2000 characters, but has 10/],
      [
        { message: `${words}\n${secret}` },
        'message',
        /Your message contains a private key\. If it is real, replace it/,
      ],
    ]
    for (const [changes, field, fault] of cases) {
      const { status, page, text } = await send(id, changes)
      assert.equal(status, 422, field)
      assert.match(text, /Your message was not sent\. Correct the marked fields\./)
      assert.match(page, new RegExp(`id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-fault`))
      assert.match(new RegExp(`<p class="fault" id="${field}-fault">([^<]*)</p>`).exec(page)?.[1] ?? '', fault)
      if (field !== 'message') assert.ok(page.includes(words))
      assert.deepEqual(htmlFaults(page), [])
    }
    for (const trick of tricks) {
      const { page } = await send(id, { name: trick.toWellFormed(), email: 'nobody', message: trick.toWellFormed() })
      assert.deepEqual(htmlFaults(page), [], trick)
    }
    assert.deepEqual(await rows(), [])
  })

  test('by sites without ads, for ads that cannot be answered, and from other sites', async () => {
    const silent = await here.person('Silent', false)
    const long = new Date(service.clock.now().getTime() - 31 * 86_400_000)
    const [expired, removed, unreachable] = [
      await here.seedAd(seller.id, long),
      await here.stageIn('removed', seller.id),
      await here.seedAd(silent.id),
    ]
    assert.deepEqual([(await ask(formAt(expired))).status, (await send(expired)).status], [409, 409])
    assert.deepEqual([(await ask(formAt(removed))).status, (await send(removed)).status], [410, 410])
    assert.match((await send(unreachable)).text, /The seller cannot be reached/)
    for (const { name } of kinds.filter(({ acceptsRelay }) => !acceptsRelay)) {
      const id = await here.stageIn('published', seller.id, name)
      assert.equal((await ask(`${service.baseUrls[name]}/p/${id}/contact`)).status, 404)
    }
    const id = await here.seedAd(seller.id)
    const foreign = await ask(formAt(id), {
      method: 'POST',
      body: new URLSearchParams(written),
      headers: { origin: 'https://elsewhere.example' },
    })
    assert.equal(foreign.status, 403)
    assert.deepEqual(await rows(), [])
  })

  test('from the mailbox of a banned account', async () => {
    const banned = await here.person('Banned')
    const id = await here.seedAd(seller.id)
    const link = await linkFor(id, { email: banned.email })
    await here.become(banned.id, 'banned')
    const { status, text } = await send(id, { email: banned.email.replace('@', '+again@') })
    assert.equal(status, 422)
    assert.match(text, /Your email address cannot be used here/)
    assert.deepEqual(await mailsOf(() => press(link)), [], 'a ban stops what was confirmed later')
    assert.deepEqual(await rows(), [])
  })

  test('beyond 5 emails a day to one mailbox, and 20 forms a day from one network address', async () => {
    const id = await here.seedAd(seller.id)
    for (let count = 0; count < 5; count++) assert.equal((await send(id)).status, 202)
    const sixth = await send(id, { email: 'ROSA+more@people.example' })
    assert.equal(sixth.status, 429)
    assert.match(sixth.text, /We cannot send more emails to this address today\. The count resets at 00:00 UTC/)
    assert.ok(Number(sixth.headers.get('retry-after')) > 0)
    for (let count = 0; count < 15; count++)
      assert.equal((await send(id, { email: `rosa${count}@people.example` })).status, 202)
    assert.match(
      (await send(id, { email: 'last@people.example' })).text,
      /Your network address has sent 20 messages today/,
    )
    await service.settle()
  })
})

suite('a message by somebody without an account', () => {
  test('cannot be read by the API, except through its link', async () => {
    for (const column of ['message', 'sender_name', 'sender_email'] as const)
      await assert.rejects(service.db.selectFrom('reader_messages').select(column).execute(), /permission denied/)
  })

  test('is deleted with the seller’s account and with the sender’s', async () => {
    const [one, other] = [await here.person('One'), await here.person('Other')]
    await linkFor(await here.seedAd(one.id))
    await linkFor(await here.seedAd(seller.id), { email: other.email.toUpperCase() })
    assert.equal((await rows()).length, 2)
    await here.become(one.id, 'closed')
    await here.become(other.id, 'closed')
    assert.deepEqual(await rows(), [])
  })

  test('that cannot be sent is deleted after three days', async () => {
    await linkFor(await here.seedAd(seller.id))
    await service.asOwner('update reader_messages set confirmed_at = $1, token_hash = null', [service.clock.now()])
    const purge = (days: number) =>
      deleteExpiredReaderMessages(service.workerDb, new Date(service.clock.now().getTime() + days * 86_400_000))
    await purge(2)
    assert.equal((await rows()).length, 1)
    await purge(3)
    assert.deepEqual(await rows(), [])
  })
})
