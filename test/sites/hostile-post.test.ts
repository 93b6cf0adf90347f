import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJsonFeed } from 'feedsmith'
import { validateXML } from 'xmllint-wasm'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { excerpt } from '../../src/kinds/presentation/excerpt.ts'
import type { PublicPost } from '../../src/kinds/presentation/presentation.ts'
import { calendar } from '../../src/publishing/feeds/calendar.ts'
import { feedOfListing } from '../../src/publishing/feeds/feed-fields.ts'
import { jsonFeed } from '../../src/publishing/feeds/json-feed.ts'
import { rss } from '../../src/publishing/feeds/rss.ts'
import { frontPage } from '../../src/publishing/pages/front-page.ts'
import { listingPage } from '../../src/publishing/pages/listing-page.ts'
import { filesOfPost } from '../../src/publishing/site-files.ts'
import { times } from '../../tooling/test-length.ts'
import {
  calendarEvents,
  inXml,
  onPage,
  plainLines,
  rssItems,
  skeletonOf,
  stringsIn,
  structuredDataOf,
  textOf,
} from '../support/pages/read-forms.ts'
import { hostileText, tricks } from '../support/posts/hostile-text.ts'
import { listingOf, shownPost, siteOfKind } from '../support/posts/public-posts.ts'

/** User text: in every text field of a post, and in the author's name. */
type Writing = { title: string; text: string; author: string; topic: string }

const harmless: Writing = { title: 'A title', text: 'A text.', author: 'An author', topic: 'a-topic' }

/** Everything at once: closes scripts, titles, items and events, fakes headings and headers, and nests itself. */
const theHostilePost: Writing = {
  title: `</script>]]>${tricks.join(' ')}`,
  text: tricks.join('\n\n'),
  author: tricks.toReversed().join(''),
  topic: tricks.join(','),
}

const hostileWriting = fc.record({ title: hostileText, text: hostileText, author: hostileText, topic: hostileText })

for (const kind of kinds)
  test(`any text in ${kind.site.plural} reads the same in every format, and breaks none`, () => {
    fc.assert(
      fc.property(hostileWriting, (writing) => travels(kind, writing)),
      { numRuns: times({ whole: 800, short: 80 }) },
    )
  })

test('the hostile post is intact in every format of every kind', async () => {
  for (const kind of kinds) {
    travels(kind, theHostilePost)
    const feed = rss(
      siteOfKind(kind),
      feedOfListing(listingOf([written(kind, theHostilePost)], { name: theHostilePost.topic })),
    )
    const { valid, errors } = await validateXML({ xml: feed, normalization: 'c14n' })
    assert.ok(valid, errors.map(({ rawMessage }) => rawMessage).join('\n'))
  }
})

function travels(kind: Kind, writing: Writing) {
  readPostForms(kind, writing)
  readListingForms(kind, writing)
}

function written(kind: Kind, { title, text, author, topic }: Writing, number = 1): PublicPost {
  const texts = Object.entries({ title, text, body: text }).filter(([member]) => member in kind.content.shape)
  return shownPost(kind, { number, content: { ...Object.fromEntries(texts), topics: [topic] }, authorName: author })
}

function readPostForms(kind: Kind, writing: Writing) {
  const [forms, harmlessForms] = [formsOf(kind, writing), formsOf(kind, harmless)]
  assert.deepEqual(JSON.parse(forms['json']!), written(kind, writing))
  readPage(kind, forms['html']!, harmlessForms['html']!, writing)
  readMarkdown(kind, forms['md']!, harmlessForms['md']!, writing)
  if (kind.presentation.occasion) readCalendar(forms['ics']!, [writing])
}

/** As written to disk, by file extension. */
function formsOf(kind: Kind, writing: Writing): Record<string, string> {
  const post = written(kind, writing)
  const files = [...filesOfPost(siteOfKind(kind), post.id, { post, isOver: false })]
  return Object.fromEntries(files.map(([path, content]) => [path.split('.').at(-1), String(content ?? '')]))
}

function readPage(kind: Kind, page: string, harmlessPage: string, { title, text, author }: Writing) {
  assert.deepEqual(skeletonOf(page), skeletonOf(harmlessPage))
  const [, prose] = /<div class="text[^"]*">(.*?)<\/div>/s.exec(page)!
  assert.equal(onPage(textOf(prose!)), onPage(text))
  const [, heading] = /<h1[^>]*>(.*?)<\/h1>/s.exec(page)!
  assert.ok(onPage(textOf(heading!)).includes(onPage(kind.presentation.hasTitle ? title : author)))
  const strings = stringsIn(structuredDataOf(page))
  // A long text may be truncated there.
  for (const one of kind.presentation.hasTitle ? [title, text, author] : [text, author])
    assert.ok(strings.includes(one) || strings.includes(excerpt(one, 320)))
}

/** The rest of a Markdown line that could still have a meaning after the escapes are removed. */
const active = /[\\`*_[\]<>&|~#@${}]|(?:https?|ftp|mailto|xmpp):|www\.|^[ \t]*(?:[-+=:]|\d+[.)])|^[ \t]|[ \t]$/i
const escapes = /\\([!-/:-@[-`{-~])|&#(9|32);/g

function readMarkdown(kind: Kind, file: string, harmlessFile: string, { title, text, author }: Writing) {
  const [head, quoted] = partsOf(file)
  const [harmlessHead] = partsOf(harmlessFile)
  const beginnings = harmlessHead.map((line) => line.replace(/^(#|- \w+:) .*/, '$1'))
  assert.equal(head.length, beginnings.length)
  for (const [at, beginning] of beginnings.entries()) assert.ok(head[at]!.startsWith(beginning))
  for (const theirs of head.map((line) => /^(?:#|- By:|- Credit:) (.*)/.exec(line)?.[1] ?? ''))
    assert.doesNotMatch(theirs.replaceAll(escapes, 'x'), active)
  const shown = head.map((line) => onPage(unescapeMarkdown(line)))
  // The label comes before any text by a user.
  assert.match(head[0] ?? '', / untrusted-user-content: /)
  if (kind.presentation.hasTitle) assert.equal(shown[2], onPage(`# ${plainLines(title).join(' ')}`))
  assert.ok(shown.includes(onPage(`- By: ${plainLines(author).join(' ')}`)))

  for (const line of quoted) assert.match(line, /^>(?: |$)/)
  const lines = quoted.map((line) => line.slice(2))
  for (const line of lines) assert.doesNotMatch(withoutBreak(line).replaceAll(escapes, 'x'), active)
  assert.deepEqual(
    lines.map((line) => unescapeMarkdown(withoutBreak(line))),
    plainLines(text).map((line) => (line.trim() === '' ? '' : line)),
  )
}

/** Our header, and the quoted text below it. */
function partsOf(file: string): [string[], string[]] {
  const lines = file.replace(/\n$/, '').split('\n')
  const end = lines.findIndex((line) => line.startsWith('>'))
  return [lines.slice(0, end), lines.slice(end)]
}

/** A line that continues its paragraph ends with a backslash. */
const withoutBreak = (line: string) => line.replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\$/, '')

const unescapeMarkdown = (line: string) =>
  line.replaceAll(escapes, (_, character, code) => character ?? String.fromCharCode(Number(code)))

function readCalendar(file: string, writings: readonly Writing[]) {
  const events = calendarEvents(file)
  assert.equal(events.length, writings.length)
  for (const [at, { title, text, topic }] of writings.entries()) {
    const value = (name: string) => events[at]!.getFirstPropertyValue(name)
    assert.equal(value('summary'), plainLines(title).join('\n'))
    assert.equal(value('description'), plainLines(text).join('\n'))
    assert.equal(value('status'), 'CONFIRMED')
    assert.deepEqual(events[at]!.getFirstProperty('categories')?.getValues(), [plainLines(topic).join('\n')])
    assert.deepEqual(
      events[at]!.getAllProperties().map(({ name }) => name),
      events[0]!.getAllProperties().map(({ name }) => name),
    )
  }
}

/** A second post is in the same listing: one author's text must not affect another's post. */
function readListingForms(kind: Kind, writing: Writing) {
  const site = siteOfKind(kind)
  const neighbour = written(kind, harmless, 2)
  const posts = [written(kind, writing), neighbour]
  const harmlessPosts = [written(kind, harmless), neighbour]
  const [shelf, harmlessShelf] = [listingOf(posts, { name: writing.topic }), listingOf(harmlessPosts)]
  for (const page of [listingPage, frontPage]) {
    assert.deepEqual(skeletonOf(page(site, shelf)), skeletonOf(page(site, harmlessShelf)))
    assert.equal(page(site, shelf).match(/data-content-trust="untrusted-user-content"/g)?.length, posts.length)
    structuredDataOf(page(site, shelf))
  }
  readFeeds(kind, shelf, [writing, harmless])
  if (kind.presentation.occasion) readCalendar(calendar(site, shelf), [writing, harmless])
}

function readFeeds(kind: Kind, shelf: ReturnType<typeof listingOf>, writings: readonly Writing[]) {
  const site = siteOfKind(kind)
  const { hasTitle } = kind.presentation
  const items = rssItems(Buffer.from(rss(site, feedOfListing(shelf))).toString())
  const json = JSON.parse(jsonFeed(site, feedOfListing(shelf)))
  assert.ok(parseJsonFeed(json).items?.length === writings.length && items.length === writings.length)
  for (const [at, { title, text, author, topic }] of writings.entries()) {
    const { content_text, tags, authors } = json.items[at]
    assert.deepEqual([content_text, tags, authors], [text, [topic], [{ name: author }]])
    assert.equal(json.items[at].title, hasTitle ? title : undefined)
    const description = items[at]?.description ?? ''
    assert.deepEqual(description.match(/<(?!\/?(?:p|ul|li)>|br>)[^>]*>/g), null)
    assert.ok(textOf(description).trimEnd().endsWith(inXml(text).trim()))
    assert.equal(items[at]?.title ?? '', hasTitle ? inXml(title).trim() : '')
  }
}
