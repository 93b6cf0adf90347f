import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFeed } from '@rowanmanning/feed-parser'
import { parseRssFeed } from 'feedsmith'
import { listingOf, shownPost, siteOfKind } from '../../../test/support/posts/public-posts.ts'
import { kinds } from '../../kinds/index.ts'
import { feedOfListing } from './feed-fields.ts'
import { rss } from './rss.ts'

const licenseUrl = 'https://creativecommons.org/licenses/by/4.0/'

for (const kind of kinds)
  test(`two parsers read the same content from an RSS feed of ${kind.site.plural}`, () => {
    const site = siteOfKind(kind)
    const posts = [3, 2, 1].map((number) => shownPost(kind, { number }))
    const file = rss(site, feedOfListing(listingOf(posts)))
    const feed = parseRssFeed(file)
    assert.equal(feed.link, `${site.baseUrl}/topics/ferries/`)
    assert.deepEqual(
      feed.atom?.links?.map(({ rel, href }) => [rel, href]),
      [['self', `${site.baseUrl}/topics/ferries/feed.xml`]],
    )
    assert.match(feed.description ?? '', /untrusted-user-content/)
    for (const one of [feed, ...(feed.items ?? [])]) assert.deepEqual(one.creativeCommons?.licenses, [licenseUrl])
    const other = parseFeed(file).toJSON()
    assert.equal(other.self, `${site.baseUrl}/topics/ferries/feed.xml`)
    for (const [at, post] of posts.entries()) {
      const item = feed.items?.[at]
      const title = kind.presentation.hasTitle ? kind.presentation.headline(post.content) : undefined
      assert.deepEqual([item?.link, item?.guid?.value, item?.title], [post.url, post.url, title])
      assert.equal(item?.guid?.isPermaLink, true)
      assert.equal(item?.pubDate, new Date(post.published_at).toUTCString())
      assert.deepEqual(item?.dc?.creators, [post.content.author.name])
      assert.deepEqual(
        item?.categories?.map(({ name }) => name) ?? [],
        (post.content as unknown as { topics: string[] }).topics,
      )
      assert.equal(other.items[at]?.url, post.url)
      assert.equal(other.items[at]?.description, item?.description)
    }
  })

test('paragraphs and lines are preserved, and facts precede them', () => {
  const kind = kinds.find(({ name }) => name === 'classified')!
  const post = shownPost(kind, { number: 2, content: { body: 'One <b>line</b>\nand two.\n\n\nA second & last part.' } })
  const [item] = parseRssFeed(rss(siteOfKind(kind), feedOfListing(listingOf([post])))).items ?? []
  assert.equal(
    item?.description?.replace(/^<ul>.*<\/ul>/, ''),
    '<p>One &#60;b&#62;line&#60;/b&#62;<br>\nand two.</p>\n\n\n<p>A second &#38; last part.</p>',
  )
  assert.match(item?.description ?? '', /^<ul><li>Price: .*<\/li><\/ul>/)
})

test('the feed contains no time except those of its posts', () => {
  const kind = kinds[0]!
  const posts = [shownPost(kind, { number: 2 }), shownPost(kind, { number: 1, editedAt: '2026-11-16T08:00:00Z' })]
  assert.match(rss(siteOfKind(kind), feedOfListing(listingOf(posts))), /<lastBuildDate>Mon, 16 Nov 2026 08:00:00 GMT</)
  assert.doesNotMatch(rss(siteOfKind(kind), feedOfListing(listingOf([]))), /lastBuildDate/)
})
