import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { mock, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { inspect } from 'node:util'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { startInbox } from '../../../tooling/services/inbox.ts'
import type { Mail as Received } from '../../../tooling/services/inbox-pages.ts'
import { type Mail, MailError, openMailer } from './mailer.ts'

const from = 'Broadside <hello@broadside.example>'
const mail: Mail = {
  to: 'owner@receiver.example',
  subject: 'Your webhook was turned off — très bien',
  text: 'Private words.',
  html: '<p>Private words.</p>',
  messageId: '<evt_1@broadside.example>',
}

const fails = (kind: MailError['kind'], status?: number) => (error: unknown) => {
  assert.ok(error instanceof MailError, inspect(error))
  assert.deepEqual({ kind: error.kind, status: error.status }, { kind, status })
  assert.doesNotMatch(inspect(error, { depth: Infinity, showHidden: true }), /owner@|Private words|turned off|pa\$\$/)
  return true
}

/** A mail server that stores each email as received. */
async function serve(options: SMTPServerOptions = {}, port = 0) {
  const taken: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, _session, callback) => {
      stream.toArray().then((chunks) => {
        taken.push(Buffer.concat(chunks).toString())
        callback()
      }, callback)
    },
    ...options,
  })
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    taken,
    connections: server.connections,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

const mailerTo = (port: number, { scheme = 'smtp', host = '127.0.0.1', user = '' } = {}) =>
  openMailer({ smtpUrl: `${scheme}://${user}${host}:${port}`, from })

test('an email arrives as text and HTML', async () => {
  await using inbox = await startInbox({ smtpPort: 0, webPort: 0 })
  await using mailer = mailerTo(inbox.smtpPort)
  await mailer.send(mail)
  const [received, ...rest] = (await (await fetch(`http://127.0.0.1:${inbox.webPort}/email`)).json()) as Received[]
  assert.ok(received && rest.length === 0)
  assert.equal(received.from, from)
  assert.deepEqual(received.to, [mail.to])
  assert.equal(received.subject, mail.subject)
  assert.equal(received.text.trim(), mail.text)
  assert.equal(received.html.trim(), mail.html)
})

test('an email is marked as automatic and keeps its message id', async () => {
  await using server = await serve()
  await using mailer = mailerTo(server.port)
  await mailer.send(mail)
  await mailer.send(mail)
  assert.equal(server.taken.length, 2)
  for (const text of server.taken) {
    assert.match(text, /^Auto-Submitted: auto-generated\r$/m)
    assert.match(text, /^Message-ID: <evt_1@broadside\.example>\r$/m)
  }
  assert.equal(server.connections.size, 1, 'the connection is kept')
})

test('an email with injected headers or recipients is not sent', async () => {
  await using server = await serve()
  await using mailer = mailerTo(server.port)
  const hostile: Partial<Mail>[] = [
    ...['\n', '\r', '\r\n', '\0', '\u2028', '\u0085'].flatMap((end) => [
      { subject: `Hello${end}Bcc: second@receiver.example` },
      { to: `owner@receiver.example${end}Bcc: second@receiver.example` },
      { to: `owner@receiver.example${end}` },
      { messageId: `<evt_1@broadside.example>${end}Bcc: second@receiver.example` },
    ]),
    { to: 'owner@receiver.example,second@receiver.example' },
    { to: 'owner@receiver.example second@receiver.example' },
    { to: 'Owner <owner@receiver.example>' },
    { to: '"owner@receiver.example"@second.example' },
    { to: 'owner@receiver.example>\u0020NOTIFY=SUCCESS' },
    { to: 'owner' },
    { to: '' },
    { subject: '' },
    { messageId: '' },
  ]
  for (const changes of hostile) await assert.rejects(mailer.send({ ...mail, ...changes }), fails('malformed'))
  assert.deepEqual(server.taken, [])
  assert.equal(server.connections.size, 0)
})

test('a rejection is reported by its status, without the server’s message', async () => {
  for (const status of [450, 550]) {
    const refusal = () => Object.assign(new Error('no owner@receiver.example: Private words'), { responseCode: status })
    await using atAddress = await serve({ onRcptTo: (_address, _session, callback) => callback(refusal()) })
    await using atText = await serve({
      onData: (stream, _session, callback) => stream.on('end', () => callback(refusal())).resume(),
    })
    for (const { port } of [atAddress, atText]) {
      await using mailer = mailerTo(port)
      await assert.rejects(mailer.send(mail), fails('refused', status))
    }
  }
})

test('a stopped mail server is unreachable, and sending works again when it is back', async () => {
  const server = await serve()
  await using mailer = mailerTo(server.port)
  await mailer.send(mail)
  await server[Symbol.asyncDispose]()
  await assert.rejects(mailer.send(mail), fails('unreachable'))
  await using again = await serve({}, server.port)
  await mailer.send(mail)
  assert.equal(again.taken.length, 1)
})

test('no email is lost if the server closes a persistent connection', async () => {
  let begun = 0
  await using server = await serve({
    onMailFrom: (_address, _session, callback) => {
      begun += 1
      callback(begun === 2 ? Object.assign(new Error('closing'), { responseCode: 421 }) : null)
    },
  })
  await using mailer = mailerTo(server.port)
  await mailer.send(mail)
  await mailer.send(mail)
  assert.equal(begun, 3)
  assert.equal(server.taken.length, 2)
})

test('a silent mail server times out', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  mock.timers.enable({ apis: ['setTimeout'] })
  try {
    await using mailer = mailerTo((silent.address() as AddressInfo).port)
    let isOver = false
    const sent = assert.rejects(mailer.send(mail), fails('timeout')).finally(() => {
      isOver = true
    })
    await once(silent, 'connection')
    // Waits until the client has noticed too.
    for (let turn = 0; turn < 10; turn += 1) await nextTurn()
    for (let second = 0; second < 21 && !isOver; second += 1) {
      await nextTurn()
      mock.timers.tick(1_000)
      await nextTurn()
    }
    assert.ok(isOver)
    await sent
  } finally {
    mock.timers.reset()
    silent.close()
  }
})

test('the URL’s user and password are used, and a wrong password is not in the error', async () => {
  const given: string[] = []
  await using server = await serve({
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, callback) => {
      given.push(`${username} ${password}`)
      if (password === 'pa$$/:@') callback(null, { user: 'relay' })
      else callback(new Error(`no ${password}`))
    },
  })
  await using mailer = mailerTo(server.port, { user: 'relay%40b:pa%24%24%2F%3A%40@' })
  await mailer.send(mail)
  assert.deepEqual(given, ['relay@b pa$$/:@'])
  await using wrong = mailerTo(server.port, { user: 'relay:pa%24%24@' })
  await assert.rejects(wrong.send(mail), fails('not_signed_in'))
})

test('a password leaves the machine only encrypted', async () => {
  let wasAsked = false
  await using server = await serve({
    allowInsecureAuth: true,
    onAuth: (_given, _session, callback) => {
      wasAsked = true
      callback(null, { user: 'relay' })
    },
  })
  // This address resolves to the local machine without looking local.
  await using mailer = mailerTo(server.port, { host: '0.0.0.0', user: 'relay:pa%24%24@' })
  await assert.rejects(mailer.send(mail), fails('tls'))
  assert.equal(wasAsked, false)
})

test('an untrusted certificate is rejected', async () => {
  await using starting = await serve({ disabledCommands: [] })
  await using secure = await serve({ secure: true })
  await using first = mailerTo(starting.port)
  await using second = mailerTo(secure.port, { scheme: 'smtps' })
  for (const mailer of [first, second]) await assert.rejects(mailer.send(mail), fails('tls'))
  assert.deepEqual([...starting.taken, ...secure.taken], [])
})

test('a closed mailer sends nothing more', async () => {
  await using server = await serve()
  const mailer = mailerTo(server.port)
  await mailer.send(mail)
  await mailer[Symbol.asyncDispose]()
  await assert.rejects(mailer.send(mail), fails('unreachable'))
  assert.equal(server.taken.length, 1)
})
