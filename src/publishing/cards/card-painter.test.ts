import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { kinds } from '../../kinds/index.ts'
import { examplePublicPost } from '../../posts/public/public-post.ts'
import { CardFailed, openCardPainter } from './card-painter.ts'
import { cardOf } from './post-card.ts'

const directory = '/usr/share/fonts'
const cards = kinds.map((kind) => cardOf(kind, examplePublicPost(kind)))
const [card] = cards
assert.ok(card)

const folder = mkdtempSync(join(tmpdir(), 'broadside-painter-'))
after(() => rmSync(folder, { recursive: true }))

/** A child that handles each card so. */
function childOf(handle: string): URL {
  const file = join(folder, `${handle.length}.mjs`)
  writeFileSync(file, `process.on('message', (card) => { ${handle}; process.send({ png: Buffer.from(card.text) }) })`)
  return pathToFileURL(file)
}

const failsWith = (reason: string) => (error: unknown) => error instanceof CardFailed && error.reason === reason

test('cards that are requested at the same time are drawn one after another', async () => {
  await using painter = openCardPainter({ directory, waitMs: 60_000 })
  assert.deepEqual(painter.missing, [])
  const drawn = await Promise.all(cards.map((each) => painter.draw(each)))
  assert.deepEqual(
    drawn.map((png) => png.toString('latin1', 1, 4)),
    cards.map(() => 'PNG'),
  )
  assert.equal(new Set(drawn.map(String)).size, cards.length)
})

test('a child that takes too long is killed, and the next card gets another', async () => {
  const child = childOf("if (card.text === 'hang') for (;;);")
  await using painter = openCardPainter({ directory, child, limitMs: 5_000, waitMs: 60_000 })
  const [hanging, next] = [painter.draw({ ...card, text: 'hang' }), painter.draw({ ...card, text: 'next' })]
  await assert.rejects(hanging, failsWith('timeout'))
  assert.equal(String(await next), 'next')
})

test('a card that would wait too long for others is not drawn', async () => {
  const child = childOf("if (card.text === 'hang') for (;;);")
  await using painter = openCardPainter({ directory, child, limitMs: 2_000, waitMs: 1_000 })
  const [hanging, next] = [painter.draw({ ...card, text: 'hang' }), painter.draw({ ...card, text: 'next' })]
  await assert.rejects(hanging, failsWith('timeout'))
  await assert.rejects(next, failsWith('busy'))
  assert.equal(String(await painter.draw({ ...card, text: 'later' })), 'later')
})

test('an error, an exit, a crash and too much memory fail one card, and the next one is drawn', async () => {
  const child = childOf(`
    if (card.text === 'error') return process.send({ error: 'RangeError' })
    if (card.text === 'throw') throw new TypeError('no')
    if (card.text === 'exit') process.exit(3)
    if (card.text === 'crash') process.abort()
    if (card.text === 'memory') for (const all = []; ; ) all.push(new Array(1e5).fill(card))`)
  await using painter = openCardPainter({ directory, child, waitMs: 60_000 })
  const reasons = { error: 'RangeError', throw: 'exit', exit: 'exit', crash: 'exit', memory: 'exit' }
  for (const [text, reason] of Object.entries(reasons)) {
    await assert.rejects(painter.draw({ ...card, text }), failsWith(reason), text)
    assert.equal(String(await painter.draw({ ...card, text: 'next' })), 'next', text)
  }
})

test('missing fonts are named', () => {
  const { missing } = openCardPainter({ directory: '/nowhere' })
  assert.ok(missing.includes('truetype/noto/NotoColorEmoji.ttf'))
})
