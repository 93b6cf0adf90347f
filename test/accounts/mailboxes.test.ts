import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, startService } from '../../tooling/environment/service.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service?.[Symbol.asyncDispose]())

test('spellings of one mailbox are counted as one, and different mailboxes are not', async () => {
  const folded: [address: string, mailbox: string][] = [
    ['Ann@Example.com', 'ann@example.com'],
    ['ann+1@example.com', 'ann@example.com'],
    ['ann+a+b@EXAMPLE.com', 'ann@example.com'],
    ['ann+@example.com', 'ann@example.com'],
    ['+ann@example.com', '+ann@example.com'],
    ['an.n@example.com', 'an.n@example.com'],
    ['ann-lee@example.com', 'ann-lee@example.com'],
    ['a.n.n+shop@gmail.com', 'ann@gmail.com'],
    ['Ann@GoogleMail.com', 'ann@gmail.com'],
    ['ann@mail.example.com', 'ann@mail.example.com'],
    ['ann@xn--bcher-kva.example', 'ann@xn--bcher-kva.example'],
  ]
  for (const [address, mailbox] of folded) {
    const [row] = await service.asOwner('select fold_mailbox($1) as mailbox, mail_domain($1) as domain', [address])
    assert.deepEqual(row, { mailbox, domain: mailbox.split('@')[1] }, address)
  }
})
