import assert from 'node:assert/strict'
import { createHash, createVerify, generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { openMailer } from '../platform/mail/mailer.ts'
import { SettingsError } from '../platform/settings/settings.ts'
import { dkimFromSettings } from './dkim.ts'

const folder = mkdtempSync(join(tmpdir(), 'broadside-dkim-'))
after(() => rmSync(folder, { recursive: true }))

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const keyFile = fileWith('rsa.pem', privateKey.export({ type: 'pkcs1', format: 'pem' }).toString())
const whole = { MAIL_DKIM_DOMAIN: 'broadside.example', MAIL_DKIM_SELECTOR: '2026-11', MAIL_DKIM_KEY: keyFile }

function fileWith(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

test('emails are signed if all three settings are set, and the signature covers text and headers', async () => {
  const raw = await sendOne(dkimFromSettings(whole))
  const [head = '', body = ''] = raw.split(/\r\n\r\n(.*)/s)
  const headers = new Map(
    [...head.matchAll(/^([\w-]+):(.*(?:\r\n[ \t].*)*)/gm)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value,
    ]),
  )
  const signature = headers.get('dkim-signature') ?? ''
  const tag = (name: string) =>
    new RegExp(`(?:^|;)\\s*${name}=([^;]*)`).exec(signature)?.[1]?.replaceAll(/\s/g, '') ?? ''
  assert.deepEqual(
    [tag('d'), tag('s'), tag('a'), tag('c')],
    ['broadside.example', '2026-11', 'rsa-sha256', 'relaxed/relaxed'],
  )
  assert.equal(tag('bh'), createHash('sha256').update(relaxedBody(body)).digest('base64'))
  const signed = tag('h').split(':')
  for (const name of ['from', 'to', 'subject', 'message-id']) assert.ok(signed.includes(name), `${name} is signed`)
  const lines = [...signed.filter((name) => headers.has(name)), 'dkim-signature'].map((name) =>
    relaxedHeader(name, name === 'dkim-signature' ? signature.replace(/(\bb=)[^;]*/, '$1') : (headers.get(name) ?? '')),
  )
  const verified = createVerify('rsa-sha256').update(lines.join('\r\n')).verify(publicKey, tag('b'), 'base64')
  assert.ok(verified)
})

test('the key can be given as text, as MAIL_DKIM_KEY_FILE gives it', () => {
  const asText = { ...whole, MAIL_DKIM_KEY: readFileSync(keyFile, 'utf8') }
  assert.deepEqual(dkimFromSettings(asText), dkimFromSettings(whole))
})

test('emails are not signed without the settings', async () => {
  const none = { MAIL_DKIM_DOMAIN: undefined, MAIL_DKIM_SELECTOR: undefined, MAIL_DKIM_KEY: undefined }
  assert.equal(dkimFromSettings(none), undefined)
  assert.doesNotMatch(await sendOne(undefined), /dkim-signature/i)
})

test('incomplete settings or an unusable key are rejected at startup', () => {
  for (const name of Object.keys(whole))
    assert.throws(() => dkimFromSettings({ ...whole, [name]: undefined }), SettingsError, name)
  const short = generateKeyPairSync('rsa', { modulusLength: 1_024 }).privateKey
  const other = generateKeyPairSync('ed25519').privateKey
  const wrong = [
    join(folder, 'missing.pem'),
    fileWith('text.pem', 'not a key'),
    fileWith('public.pem', publicKey.export({ type: 'spki', format: 'pem' }).toString()),
    fileWith('short.pem', short.export({ type: 'pkcs8', format: 'pem' }).toString()),
    fileWith('other.pem', other.export({ type: 'pkcs8', format: 'pem' }).toString()),
  ]
  for (const file of wrong)
    assert.throws(() => dkimFromSettings({ ...whole, MAIL_DKIM_KEY: file }), SettingsError, file)
})

/** RFC 6376, 3.4.2 and 3.4.4. */
const relaxedHeader = (name: string, value: string) =>
  `${name}:${value
    .replaceAll('\r\n', '')
    .replaceAll(/[ \t]+/g, ' ')
    .trim()}`
const relaxedBody = (body: string) =>
  body
    .split('\r\n')
    .map((line) => line.replaceAll(/[ \t]+/g, ' ').replace(/ $/, ''))
    .join('\r\n')
    .replace(/(\r\n)*$/, '\r\n')

async function sendOne(dkim: ReturnType<typeof dkimFromSettings>): Promise<string> {
  let taken = ''
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, _session, done) => {
      stream.toArray().then((chunks) => {
        taken = Buffer.concat(chunks).toString('latin1')
        done()
      }, done)
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  {
    await using mailer = openMailer({
      smtpUrl: `smtp://127.0.0.1:${port}`,
      from: 'Broadside <hello@broadside.example>',
      dkim,
    })
    await mailer.send({
      to: 'owner@receiver.example',
      subject: 'Très bien — a subject of more than seventy characters, which is folded on its way to the receiver',
      text: 'A line.\n\n  Another  line. \n\n\n',
      html: '<p>A line — très bien.</p>',
      messageId: '<one@broadside.example>',
    })
  }
  await new Promise<void>((resolve) => server.close(resolve))
  return taken
}
