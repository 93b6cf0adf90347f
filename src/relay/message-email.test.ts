import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { headersOf, readMail, routeOf, startMailServer, type Taken } from '../../test/support/mail-server.ts'
import { kinds } from '../kinds/index.ts'
import { MailError, type Mailer, openMailer } from '../platform/mail/mailer.ts'
import { messageMail, type Relayed } from './message-email.ts'

let server: Awaited<ReturnType<typeof startMailServer>>
let mailer: Mailer
before(async () => {
  server = await startMailServer()
  mailer = openMailer({ smtpUrl: server.url, from: 'Broadside <hello@broadside.example>' })
})
after(async () => {
  await mailer[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const [kind] = kinds.filter(({ acceptsRelay }) => acceptsRelay)
assert(kind)

const usual: Relayed = {
  id: 'rly_01jcmzq8e5f7r9t2v4x6y8z0ab',
  message: 'Is the bicycle still there?',
  senderName: 'Cargo Collector',
  senderEmail: 'buyer@people.example',
  sellerEmail: 'seller@people.example',
  postId: 'post_01jcmzq8e5f7r9t2v4x6y8z0ab',
  title: 'Cargo bicycle',
  site: kind.site,
  baseUrl: 'https://classifieds.broadside.example',
  accountPageUrl: 'https://account.broadside.example',
}

const breaks = ['\r\n', '\r', '\n', '\0', '\v', '\f', '\u0085', '\u2028', '\u2029', '\r\n ', '\r\n\t', '\r\n\r\n']
const hostile = [
  ...breaks.map((end) => `Hello${end}Bcc: second@people.example`),
  ...breaks.map((end) => `Hello${end}`),
  'Hello\r\n.\r\nMAIL FROM:<x@people.example>',
  '=?utf-8?B?DQpCY2M6IHNlY29uZEBwZW9wbGUuZXhhbXBsZQ==?=',
  '=?utf-8?Q?Hello=0D=0ABcc:_second@people.example?=',
  'a =?utf-8?Q?b?= =?utf-8?Q?c?=',
  'Second <second@people.example>, Third <third@people.example>',
  '"second@people.example"',
  '<second@people.example>',
  'undisclosed: second@people.example;',
  'abc\u202etxt.exe\u2066',
  'שלום עולם',
  'x'.repeat(2_000),
  '\u{1f6b2} '.repeat(500),
  'lone \ud800 surrogate',
  '</p><script>alert(1)</script><a href="https://people.example">',
]
const fixed = 'From To Reply-To Subject Message-ID Auto-Submitted Date MIME-Version Content-Type'.split(' ')

async function send(changes: Partial<Relayed>): Promise<Taken> {
  const before = server.taken.length
  await mailer.send(messageMail({ ...usual, ...changes }))
  assert.equal(server.taken.length, before + 1)
  return server.taken.at(-1) as Taken
}

for (const place of ['message', 'senderName', 'title'] as const)
  test(`nothing in the ${place} becomes a header, a recipient or markup`, async () => {
    for (const text of hostile) {
      const taken = await send({ [place]: text })
      const headers = headersOf(taken)
      assert.deepEqual(headers.map(([name]) => name).sort(), fixed.toSorted(), JSON.stringify(text))
      const header = (name: string) => headers.find(([one]) => one === name)?.[1]
      assert.deepEqual([header('To'), header('Reply-To')], [usual.sellerEmail, usual.senderEmail])
      assert.equal(header('Message-ID'), '<rly_01jcmzq8e5f7r9t2v4x6y8z0ab@account.broadside.example>')
      assert.deepEqual(routeOf(taken), { from: 'hello@broadside.example', to: [usual.sellerEmail] })
      const { to, cc, bcc, replyTo, subject = '', html = '' } = await readMail(taken)
      assert.deepEqual([to?.length, cc, bcc, replyTo?.length], [1, undefined, undefined, 1])
      assert.match(subject, /^A message about your ad: [^\p{Cc}\p{Bidi_Control}\u2028\u2029]+$/u)
      assert.ok([...subject].length <= 145)
      assert.doesNotMatch(html, /<script|<a href="https:\/\/people/)
    }
  })

test('an address that contains a second one is rejected', async () => {
  const before = server.taken.length
  const joined = hostile.flatMap((text) => [text, `${text}@people.example`, `buyer@people.example${text}`])
  const wrong = [...joined, 'a@b.example,c@d.example', '"a b"@c.example', '=?utf-8?Q?a?=@b.example', 'a@[127.0.0.1]']
  // Some of these do not contain a second address but are too long or in another script. Other rules reject them.
  for (const place of ['senderEmail', 'sellerEmail'] as const)
    for (const address of wrong)
      await assert.rejects(
        mailer.send(messageMail({ ...usual, [place]: address })),
        (error) => error instanceof MailError && error.kind === 'malformed',
        JSON.stringify(address),
      )
  assert.equal(server.taken.length, before)
})

test('the email’s subject and text contain neither address', async () => {
  const { text = '', html = '', subject = '' } = await readMail(await send({}))
  for (const address of [usual.senderEmail, usual.sellerEmail]) assert.ok(!(text + html + subject).includes(address))
})
