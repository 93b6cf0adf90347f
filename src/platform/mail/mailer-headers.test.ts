import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { headersOf, readMail, routeOf, startMailServer, type Taken } from '../../../test/support/mail-server.ts'
import { type Mail, MailError, type Mailer, openMailer } from './mailer.ts'

let server: Awaited<ReturnType<typeof startMailServer>>
let mailer: Mailer
before(async () => {
  server = await startMailServer()
  const addresses = { from: 'Broadside <hello@broadside.example>', bounceAddress: 'bounces@broadside.example' }
  mailer = openMailer({ smtpUrl: server.url, ...addresses })
})
after(async () => {
  await mailer[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const usual: Mail = {
  to: 'seller@receiver.example',
  replyTo: 'buyer@sender.example',
  subject: 'A message',
  text: 'Words.',
  html: '<p>Words.</p>',
  messageId: '<rly_1@broadside.example>',
}

/** The email that arrived; undefined if none did. */
async function send(changes: Partial<Mail>): Promise<Taken | undefined> {
  const before = server.taken.length
  try {
    await mailer.send({ ...usual, ...changes })
  } catch (error) {
    // The server checks addresses too: `a..b@example`.
    assert.ok(error instanceof MailError && /malformed|refused/.test(error.kind), String(error))
    assert.equal(server.taken.length, before)
    return undefined
  }
  assert.equal(server.taken.length, before + 1)
  return server.taken.at(-1)
}

const names = 'From To Reply-To Subject Message-ID Auto-Submitted Date MIME-Version Content-Type'.split(' ')

async function assertUnharmed(taken: Taken, { to, replyTo, subject }: Mail): Promise<void> {
  const headers = headersOf(taken)
  assert.deepEqual(headers.map(([name]) => name).sort(), names.toSorted())
  const headerOf = (name: string) => headers.find(([one]) => one === name)?.[1]
  const addresses = [headerOf('To'), headerOf('Reply-To'), ...routeOf(taken).to].join().toLowerCase()
  assert.equal(addresses, [to, replyTo, to].join().toLowerCase())
  assert.equal(headerOf('From'), 'Broadside <hello@broadside.example>')
  assert.equal(headerOf('Auto-Submitted'), 'auto-generated')
  assert.equal(routeOf(taken).from, 'bounces@broadside.example')
  // A long subject is folded at its spaces.
  const withoutSpaces = (text = '') => text.replaceAll(/\s/g, '')
  assert.equal(withoutSpaces((await readMail(taken)).subject), withoutSpaces(subject))
}

test('replies go to the reply address, and bounces to the operator', async () => {
  const taken = await send({})
  assert.ok(taken)
  await assertUnharmed(taken, usual)
  const { replyTo: _, ...plain } = usual
  await mailer.send(plain)
  assert.ok(!headersOf(server.taken.at(-1) as Taken).some(([name]) => name === 'Reply-To'))
})

test('bounces go to the sender address if no other is set', async () => {
  for (const from of ['Broadside <hello@broadside.example>', 'hello@broadside.example']) {
    await using other = openMailer({ smtpUrl: server.url, from })
    await other.send(usual)
    assert.equal(routeOf(server.taken.at(-1) as Taken).from, 'hello@broadside.example')
  }
})

const nasty = [
  ...['\r\n', '\r', '\n', '\0', '\u0085', '\u2028', '\u2029', '\v', '\f', '\t', ' ', '\r\n\t', '\r\n\r\n', '\r\n.\r\n'],
  ...['Bcc: second@receiver.example', 'Subject: other', 'To: second@receiver.example', 'X-Header: x'],
  ...['=?utf-8?B?DQpCY2M6IHNlY29uZEByZWNlaXZlci5leGFtcGxl?=', '=?utf-8?Q?=0D=0ABcc:_x@y.example?=', '=?', '?='],
  ...['\u202e', '\u200f', 'שלום', '\ud800', '𝔘', 'é', '"', "'", '\\', ',', ';', ':', '<', '>', '(', ')', '[', ']', '@'],
  ...['seller@receiver.example', 'x@y.example', 'a', 'Hello', '.', '-'],
]
const text = fc.oneof(
  fc.array(fc.constantFrom(...nasty), { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 700 }),
)
/** Valid subjects. */
const line = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }).map((one) => one.replaceAll(/\p{Cc}/gu, '-'))
/** A valid value with one bad part inserted somewhere. */
const nearly = (right: string) =>
  fc
    .tuple(fc.nat(right.length), fc.constantFrom(...nasty))
    .map(([place, wrong]) => right.slice(0, place) + wrong + right.slice(place))

test('whatever its content, an email has only our headers and one recipient, or is not sent', async () => {
  let sent = 0
  const header = fc.oneof(
    fc.record({ to: fc.oneof(text, nearly(usual.to)) }),
    fc.record({ replyTo: fc.oneof(text, nearly('buyer@sender.example')) }),
    fc.record({ messageId: fc.oneof(text, nearly(usual.messageId)) }),
    fc.record({ subject: fc.oneof(text, nearly(usual.subject), line) }),
  )
  // Empty values would be omitted and change the structure of the email.
  const words = fc.record({ text: text.map((one) => `Words: ${one}`), html: text.map((one) => `<p>${one}`) })
  const changes = fc.tuple(words, header).map((parts): Partial<Mail> => Object.assign({}, ...parts))
  await fc.assert(
    fc.asyncProperty(changes, async (one) => {
      const taken = await send(one)
      if (!taken) return
      sent += 1
      await assertUnharmed(taken, { ...usual, ...one })
    }),
    { numRuns: 500 },
  )
  assert.ok(sent > 50, `only ${sent} were sent`)
})
