import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../../kinds/index.ts'
import { examplePublicPost } from '../../posts/public/public-post.ts'
import type { SiteView } from '../views.ts'
import { CardFailed, openCardPainter } from './card-painter.ts'
import { fingerprintIn } from './png.ts'
import { cardOf, fingerprintOf } from './post-card.ts'

const directory = '/usr/share/fonts'
const cards = kinds.map((kind) => cardOf({ kind } as SiteView, examplePublicPost(kind)))
const [card] = cards
assert.ok(card)

/** A thread of this source. */
const threadOf = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`)
const listen = `import { parentPort } from 'node:worker_threads'; parentPort.on('message', (card) =>`

test('cards that are requested at the same time are drawn one after another', async () => {
  await using painter = openCardPainter({ directory })
  assert.deepEqual(painter.missing, [])
  const drawn = await Promise.all(cards.map((each) => painter.draw(each)))
  assert.deepEqual(drawn.map(fingerprintIn), cards.map(fingerprintOf))
})

test('a thread that takes too long is ended, and the next card gets another', async () => {
  const thread = threadOf(
    `${listen} { if (card.text === 'hang') for (;;); parentPort.postMessage({ png: Buffer.from(card.text) }) })`,
  )
  await using painter = openCardPainter({ directory, thread, limitMs: 5_000 })
  const [hanging, next] = [painter.draw({ ...card, text: 'hang' }), painter.draw({ ...card, text: 'next' })]
  await assert.rejects(hanging, (error) => error instanceof CardFailed && error.reason === 'timeout')
  assert.equal(String(await next), 'next')
})

test('an error, an exit and too much memory fail one card, and the next one is drawn', async () => {
  const thread = threadOf(`${listen} {
    if (card.text === 'error') return parentPort.postMessage({ error: 'RangeError' })
    if (card.text === 'throw') throw new TypeError('no')
    if (card.text === 'exit') process.exit(3)
    if (card.text === 'memory') for (const all = []; ; ) all.push(new Array(1e5).fill(card))
    parentPort.postMessage({ png: Buffer.from('drawn') })
  })`)
  await using painter = openCardPainter({ directory, thread })
  const reasons = { error: 'RangeError', throw: 'TypeError', exit: 'exit', memory: 'Error' }
  for (const [text, reason] of Object.entries(reasons)) {
    await assert.rejects(
      painter.draw({ ...card, text }),
      (error) => error instanceof CardFailed && error.reason === reason,
    )
    assert.equal(String(await painter.draw(card)), 'drawn', text)
  }
})

test('missing fonts are named', () => {
  const { missing } = openCardPainter({ directory: '/nowhere' })
  assert.ok(missing.includes('truetype/noto/NotoColorEmoji.ttf'))
})
