import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { referenceAddress } from '../../src/contract/generators/reference-address.ts'
import { webhookVector } from '../../src/documents/pages/guides/webhooks.ts'
import { documentPages } from '../../src/documents/pages/index.ts'
import { isGenuine } from '../../src/documents/pages/snippets/verify.mts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { sign } from '../../src/webhooks/secrets.ts'

const root = join(import.meta.dirname, '../..')
const pages = documentPages(exampleDeployment)
const pageAt = (path: string): string => {
  const page = pages.get(path)
  assert.ok(page !== undefined, `${path} is missing`)
  return page
}

/** The visible text: ghtml writes reserved HTML characters as numeric references. */
const readable = (page: string) =>
  page.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

const { secret, id, timestamp, signature, body } = webhookVector
const sentAt = Number(timestamp)

/** Each with the expected result of a verifier. */
const deliveries: [
  claim: string,
  delivery: typeof webhookVector | Record<keyof typeof webhookVector, string>,
  now: number,
  isRight: boolean,
][] = [
  ['as it was sent', webhookVector, sentAt, true],
  ['just in time', webhookVector, sentAt + 300, true],
  ['too late', webhookVector, sentAt + 301, false],
  ['too early', webhookVector, sentAt - 301, false],
  [
    'after a rotation, with the old one first',
    { ...webhookVector, signature: `v1,${'A'.repeat(43)}= ${signature}` },
    sentAt,
    true,
  ],
  ['with a version of tomorrow', { ...webhookVector, signature: `v2,abc ${signature}` }, sentAt, true],
  ['as a version it is not', { ...webhookVector, signature: signature.replace('v1', 'v1a') }, sentAt, false],
  ['with another body', { ...webhookVector, body: body.replace('published', 'rejected') }, sentAt, false],
  ['with another id', { ...webhookVector, id: `${id}x` }, sentAt, false],
  ['with another time', { ...webhookVector, timestamp: String(sentAt + 1) }, sentAt, false],
  ['with a time that is none', { ...webhookVector, timestamp: 'soon' }, sentAt, false],
  ['with another secret', { ...webhookVector, secret: secret.replace('AAEC', 'AAED') }, sentAt, false],
  ['without a signature', { ...webhookVector, signature: '' }, sentAt, false],
  ['with nonsense for a signature', { ...webhookVector, signature: 'v1,%% v1 ,' }, sentAt, false],
]

test('the TypeScript verifier in the documentation is correct', () => {
  for (const [claim, delivery, now, isRight] of deliveries)
    assert.equal(isGenuine(delivery.secret, delivery, now), isRight, claim)
})

test('the Python verifier in the documentation is correct', () => {
  const program = [
    'import json, sys',
    'sys.path.insert(0, sys.argv[1])',
    'from verify import is_genuine',
    'print(json.dumps([is_genuine(d["secret"], d["id"], d["timestamp"], d["signature"], d["body"].encode(), now)',
    '  for _, d, now, _ in json.loads(sys.stdin.read())]))',
  ].join('\n')
  const snippets = join(root, 'src/documents/pages/snippets')
  const answers = execFileSync('python3', ['-B', '-c', program, snippets], { input: JSON.stringify(deliveries) })
  assert.deepEqual(
    JSON.parse(String(answers)),
    deliveries.map(([, , , isRight]) => isRight),
  )
})

test('the page shows the verifiers exactly as in their files', () => {
  const page = pageAt('messages/docs/webhooks.md')
  for (const language of ['ts', 'python', 'go', 'ruby']) assert.ok(page.includes(`\`\`\`${language}\n`))
  assert.match(readable(pageAt('messages/docs/webhooks/index.html')), /timingSafeEqual[\s\S]*hmac\.Equal/)
})

/** The TypeScript programs on a page, as a reader copies them. */
const programsOn = (path: string) =>
  [...pageAt(`${path}.md`).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, program]) => String(program))

const clientSource = join(root, 'clients/typescript/src/index.ts')

test('the receiver in the documentation accepts genuine deliveries and refuses the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-receiver-'))
  try {
    const program = String(programsOn('messages/docs/webhooks').find((text) => text.includes('verifyWebhook')))
    writeFileSync(join(folder, 'receive.mts'), program.replace("'broadside'", `'${pathToFileURL(clientSource)}'`))
    const { receive } = await import(pathToFileURL(join(folder, 'receive.mts')).href)
    const kept: { id: string }[] = []
    const deliver = async (sent: string) => {
      const headers = sign([Buffer.from(secret.slice(6), 'base64')], {
        eventId: id,
        at: new Date(),
        body: Buffer.from(body),
      })
      const request = new Request('https://agent.example/', { method: 'POST', headers, body: sent })
      const { status } = await receive(request, secret, async (event: { id: string }) => void kept.push(event))
      return status
    }
    assert.equal(await deliver(body.replace('published', 'rejected')), 400)
    assert.equal(await deliver(body), 204)
    assert.deepEqual(kept, [{ id, ...JSON.parse(body) }])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the webhooks page covers exactly the webhook operations', () => {
  for (const kind of kinds) {
    const operations = operationsOf(kind)
    const known = operations.map(({ method, path }) => `${method} ${path}`)
    const page = pageAt(`${kind.site.slug}/docs/webhooks.md`)
    const spoken = new Set(page.match(/\b(GET|POST|PATCH|DELETE) \/v1\/[\w/{}]+/g))
    assert.deepEqual(
      [...spoken].filter((operation) => !known.includes(operation)),
      [],
    )
    for (const operation of operations)
      if (operation.tag === 'Webhooks') assert.ok(page.includes(`(${referenceAddress(operation)})`), operation.id)
  }
})
