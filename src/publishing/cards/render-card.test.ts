import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import fc from 'fast-check'
import { assertCheap } from '../../../test/support/cost.ts'
import { hostileTexts } from '../../../tooling/fixtures/hostile-texts.ts'
import { times } from '../../../tooling/test-length.ts'
import { kinds } from '../../kinds/index.ts'
import { examplePublicPost } from '../../posts/public/public-post.ts'
import { lookOf } from './card-look.ts'
import { coverageOf } from './font-coverage.ts'
import { cardFonts } from './fonts.ts'
import { cardOf, fingerprintOf, type PostCard, plainCard } from './post-card.ts'
import { type CardRenderer, cardSize, openRenderer } from './render-card.ts'

const directory = '/usr/share/fonts'
const examples = kinds.map((kind) => cardOf(kind, examplePublicPost(kind)))

let render: CardRenderer
before(() => {
  render = openRenderer(directory)
})
after(() => turn())

const { width, height } = cardSize
const canvas = createCanvas(width, height)

/** The colour of each pixel of a card. */
async function pixelsOf(png: Buffer): Promise<(x: number, y: number) => number> {
  const context = canvas.getContext('2d')
  context.drawImage(await loadImage(png), 0, 0)
  const pixels = Buffer.from(context.getImageData(0, 0, width, height).data.buffer)
  return (x, y) => pixels.readUIntBE(4 * (y * width + x), 3)
}

/** Everything between the frame and the edge of the picture, and the empty space within the frame. */
function* marginsOf(): Generator<[x: number, y: number]> {
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const distance = Math.min(x, y, width - 1 - x, height - 1 - y)
      if (distance < 26 || (distance >= 39 && distance < 50)) yield [x, y]
    }
}

const margins = [...marginsOf()]

async function assertWithinFrame(card: PostCard): Promise<Buffer> {
  const png = render(card)
  const pixel = await pixelsOf(png)
  const paper = pixel(0, 0)
  assert.equal(paper, Number.parseInt(card.look.paper.slice(1), 16))
  const stray = margins.find(([x, y]) => pixel(x, y) !== paper)
  assert.equal(stray, undefined)
  return png
}

const withText = (card: PostCard, text: string): PostCard => ({
  ...card,
  ...{ text, author: text },
  facts: { ...card.facts, label: text, details: [text] },
})

test('a card is a PNG file of 1200 × 630 pixels in the colours of its site', async () => {
  for (const card of [...examples, ...kinds.map(plainCard)]) {
    const png = await assertWithinFrame(card)
    assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [1_200, 630])
    const pixel = await pixelsOf(png)
    assert.equal(pixel(600, 28), Number.parseInt(card.look.block.slice(1), 16), 'the frame')
  }
  assert.equal(new Set(examples.map(({ look }) => look.paper)).size, kinds.length)
})

test('no hostile text is drawn outside the frame', async () => {
  for (const [index, text] of hostileTexts.entries()) {
    await assertWithinFrame(withText(examples[index % examples.length] as PostCard, text))
    await turn()
  }
})

test('no random text is drawn outside the frame', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
    fc
      .array(fc.constantFrom(...hostileTexts.map((each) => each.slice(0, 60))), { maxLength: 6 })
      .map((all) => all.join('')),
  )
  const card = fc.constantFrom(...examples)
  await fc.assert(
    fc.asyncProperty(card, text, async (example, words) => {
      await assertWithinFrame(withText(example, words))
      await turn()
    }),
    { numRuns: times({ whole: 400, short: 20 }) },
  )
})

test('a card takes a bounded time, whatever the text is', async () => {
  for (const text of hostileTexts) {
    // Each emoji is a picture that is scaled.
    const readings = /\p{Extended_Pictographic}/u.test(text) ? 50 : 12
    const draw = () => render(withText(examples[0] as PostCard, text.repeat(20)))
    assertCheap(draw, readings, JSON.stringify(text.slice(0, 20)))
    await turn()
  }
})

test('the same post gives the same bytes, also in another process', async () => {
  const cards = hostileTexts
    .slice(0, 12)
    .map((text, index) => withText(examples[index % examples.length] as PostCard, text))
  const draw = async () => {
    const hashes: string[] = []
    for (const card of cards) {
      hashes.push(hash('sha256', render(card)))
      await turn()
    }
    return hashes
  }
  const first = await draw()
  assert.deepEqual(await draw(), first)
  const module = JSON.stringify(new URL('./render-card.ts', import.meta.url).href)
  const script = `import { hash } from 'node:crypto'
import { openRenderer } from ${module}
const render = openRenderer(${JSON.stringify(directory)})
console.log(JSON.stringify(${JSON.stringify(cards)}.map((card) => hash('sha256', render(card)))))`
  const other = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  assert.deepEqual(JSON.parse(other), first)
})

test('a card of another text, author or design has another fingerprint; the folder of the fonts does not matter', () => {
  const card = examples[0] as PostCard
  const print = fingerprintOf(card)
  assert.match(print, /^[0-9a-f]{32}$/)
  for (const change of [{ text: 'Other' }, { author: 'Other' }, { look: { ...card.look, ink: '#123456' } }])
    assert.notEqual(fingerprintOf({ ...card, ...change }), print)
  assert.equal(fingerprintOf({ ...card, look: { ...card.look, face: '/elsewhere/face.woff2' } }), print)
})

test('without the fonts, the plain cards are drawn all the same', () => {
  const bare = openRenderer('/nowhere')
  const drawn = kinds.map((kind) => bare(plainCard(kind)).toString('latin1'))
  assert.deepEqual(
    drawn,
    kinds.map((kind) => render(plainCard(kind)).toString('latin1')),
  )
})

test('the fonts cover the languages of the world’s large groups of readers', () => {
  const isCovered = coverageOf(cardFonts.map(({ file }) => readFileSync(join(directory, file))))
  const sample =
    'Žluťoučký Ελληνικά Кириллица العربية עברית हिन्दी বাংলা தமிழ் ไทย 日本語 한국어 中文 ქართული አማርኛ 😀🇵🇹✓★☎→€₿'
  const lacking = [...sample].filter((letter) => letter !== ' ' && !isCovered(letter.codePointAt(0) ?? 0))
  assert.deepEqual(lacking, [])
})

test('Chinese characters in a Korean text are drawn', () => {
  const pictureOf = (text: string) => render({ ...(examples[0] as PostCard), text })
  assert.notDeepEqual(pictureOf('한국 大'), pictureOf('한국 中'))
})

test('a site without a look of its own has the shared colours and no typeface but that for titles', () => {
  const [kind] = kinds
  assert.ok(kind)
  const { look: _, ...site } = kind.site
  assert.deepEqual([lookOf({ ...kind, site }).ink, lookOf({ ...kind, site }).face], ['#1b1916', null])
})
