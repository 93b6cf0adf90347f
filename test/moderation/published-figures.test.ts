import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentSite } from '../../src/documents/pages/document-site.ts'
import { plainPage } from '../../src/documents/pages/frame.ts'
import { documentPages } from '../../src/documents/pages/index.ts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { readScoreboard, type Scoreboard, scoreboard } from '../../src/policy/scoreboard.ts'
import { moderationFigures, moderationSummary } from '../../src/publishing/transparency/moderation-figures.ts'
import { exampleScoreboard } from '../support/moderation/scoreboard.ts'
import { htmlFaults } from '../support/pages/valid-formats.ts'

/** The visible text, in one line. */
const readable = (page: string) =>
  page
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll(/\s+/g, ' ')

const pageOf = (figures: Scoreboard | null) =>
  plainPage(documentSite(kinds[0] as Kind, exampleDeployment), {
    ...{ path: 'policy/', title: 'Policy', description: 'A page for a test.', alternates: [] },
    content: moderationFigures(figures),
  })

test('the figures are explained in words, with their intervals and everything they do not cover', () => {
  const figures = readScoreboard(exampleScoreboard())
  const page = pageOf(figures)
  assert.deepEqual(htmlFaults(page), [])
  const text = readable(page)
  for (const said of [
    /the 224 posts without which/,
    /of 100 harmless posts, fewer than 1 would be rejected and 30 would wait for a person/,
    /Of 100 that break a rule, 4 would be published without review/,
    /Rule-breaking 96 4 0–10 88 82–93 8 3–13/,
    /Measured with broadside-local 0123456789ab and no large model, by policy 2026-11-15 and thresholds 2026-11-16\.1 /,
  ])
    assert.match(text, said)
  assert.doesNotMatch(text, /undefined|NaN/)
  const uncovered = [...page.matchAll(/<li>(.*)<\/li>/g)].map(([item]) => readable(item).replaceAll(' :', ':').trim())
  for (const line of figures.does_not_cover) assert.ok(uncovered.includes(line), line)
})

test('the figures are always shown as text', () => {
  const hostile = '</li></ul><script>alert(1)</script>"><img src=x onerror=alert(1)>'
  const page = pageOf(readScoreboard(exampleScoreboard(hostile)))
  assert.deepEqual(htmlFaults(page), [])
  assert.doesNotMatch(page, /<script>alert|<img src=x/)
  assert.ok(readable(page).includes(hostile))
})

test('every site’s policy shows the committed figures in short', () => {
  const pages = documentPages(exampleDeployment)
  for (const { site } of kinds)
    assert.ok(pages.get(`${site.slug}/policy/index.html`)?.includes(moderationSummary(scoreboard)), site.slug)
})
