import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTransport } from 'nodemailer'
import { type Inbox, startInbox } from './inbox.ts'
import type { Mail } from './inbox-pages.ts'

const transportTo = ({ smtpPort }: Inbox) => createTransport({ host: '127.0.0.1', port: smtpPort, ignoreTLS: true })
const pageOf = async ({ webPort }: Inbox, path: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${webPort}${path}`, init)
const listOf = async (inbox: Inbox) => (await (await pageOf(inbox, '/email')).json()) as Mail[]

const welcome = {
  from: { name: 'Broadside', address: 'mail@broadside.example' },
  to: ['owner@example.org', 'second@example.org'],
  subject: 'Your link — très bien',
  text: 'Open http://localhost:4005/o/token?a=1&b=2. Thank you.',
}
const hostile = {
  from: 'mail@broadside.example',
  to: 'owner@example.org',
  subject: '<script>alert("1")</script>',
  text: '</pre><script>alert(2)</script>',
  html: '<p style="color:red">Hi</p><script>alert(3)</script>',
}

test('received emails are listed, newest last, until the inbox is emptied', async () => {
  await using inbox = await startInbox({ smtpPort: 0, webPort: 0 })
  assert.deepEqual(await listOf(inbox), [])
  await transportTo(inbox).sendMail(welcome)
  await transportTo(inbox).sendMail(hostile)
  const [first, second, ...rest] = await listOf(inbox)
  assert(first && second && rest.length === 0)
  assert.equal(first.from, 'Broadside <mail@broadside.example>')
  assert.deepEqual(first.to, welcome.to)
  assert.equal(first.subject, welcome.subject)
  assert.equal(first.text.trim(), welcome.text)
  assert.equal(first.html, '')
  assert.match(first.received_at, /^\d{4}-\d\d-\d\dT.*Z$/)
  assert.equal(second.subject, hostile.subject)
  assert.equal(second.html.trim(), hostile.html)
  assert.equal((await pageOf(inbox, '/email', { method: 'DELETE' })).status, 204)
  assert.deepEqual(await listOf(inbox), [])
})

test('the pages escape a hostile subject and text, and show markup in a sandbox', async () => {
  await using inbox = await startInbox({ smtpPort: 0, webPort: 0 })
  assert.match(await (await pageOf(inbox, '/')).text(), /No mail yet\./)
  await transportTo(inbox).sendMail(hostile)
  for (const path of ['/', '/email/1']) {
    const page = await pageOf(inbox, path)
    const text = await page.text()
    assert.doesNotMatch(text, /<script/i)
    assert.match(text, /&#60;script&#62;alert\(&#34;1&#34;\)/)
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/)
  }
  assert.match(await (await pageOf(inbox, '/email/1')).text(), /<iframe[^>]* sandbox src="\/email\/1\/html"/)
  const markup = await pageOf(inbox, '/email/1/html')
  assert.equal(
    markup.headers.get('content-security-policy'),
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:",
  )
  assert.equal((await markup.text()).trim(), hostile.html)
})

test('a message is shown with all its headers and as it was sent, and the list stays as it is', async () => {
  await using inbox = await startInbox({ smtpPort: 0, webPort: 0 })
  const headers = { 'X-Topic': '<b>ferry</b>', 'List-Unsubscribe': '<https://broadside.example/settings>' }
  await transportTo(inbox).sendMail({ ...welcome, headers, messageId: '<one@broadside.example>' })
  const page = await (await pageOf(inbox, '/email/1')).text()
  assert.match(page, /<dt>X-Topic<\/dt>\s*<dd><bdi>&#60;b&#62;ferry&#60;\/b&#62;<\/bdi><\/dd>/)
  assert.match(page, /<dt>Message-ID<\/dt>\s*<dd><bdi>&#60;one@broadside\.example&#62;/)
  assert.match(page, /<dt>Subject<\/dt>\s*<dd><bdi>&#61;\?UTF-8\?Q\?Your_link_/)
  assert.match(page, /<pre>[^<]*Subject: &#61;\?UTF-8\?/)
  const raw = await pageOf(inbox, '/email/1/raw')
  assert.equal(raw.headers.get('content-type'), 'text/plain; charset=utf-8')
  const text = await raw.text()
  assert.match(text, /^From: Broadside <mail@broadside\.example>\r\n/m)
  assert.match(text, /^X-Topic: <b>ferry<\/b>\r\n/m)
  assert.match(text, /^Subject: =\?UTF-8\?/m)
  assert.deepEqual(Object.keys((await listOf(inbox))[0] ?? {}).sort(), [
    ...['from', 'html', 'id', 'received_at', 'subject', 'text', 'to'],
  ])
  assert.equal((await pageOf(inbox, '/email/2/raw')).status, 404)
})

test('links in the text can be followed, without the full stop after them', async () => {
  await using inbox = await startInbox({ smtpPort: 0, webPort: 0 })
  await transportTo(inbox).sendMail(welcome)
  const page = await (await pageOf(inbox, '/email/1')).text()
  assert.match(page, /<a href="http:\/\/localhost:4005\/o\/token\?a&#61;1&#38;b&#61;2" rel="noreferrer">/)
})

test('an email above 1 MiB is rejected, and only the last 500 emails are kept', async () => {
  await using inbox = await startInbox({ smtpPort: 0, webPort: 0 })
  await assert.rejects(transportTo(inbox).sendMail({ ...welcome, text: 'word '.repeat(300_000) }), /552/)
  const pool = createTransport({
    host: '127.0.0.1',
    port: inbox.smtpPort,
    ignoreTLS: true,
    pool: true,
    maxMessages: 1_000,
  })
  await Promise.all(Array.from({ length: 505 }, (_, index) => pool.sendMail({ ...welcome, subject: `Mail ${index}` })))
  pool.close()
  assert.equal((await listOf(inbox)).length, 500)
  assert.equal((await pageOf(inbox, '/email/1')).status, 404)
  assert.equal((await pageOf(inbox, '/email/505')).status, 200)
})
