import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJsonFeed } from 'feedsmith'
import { listingOf, shownPost, siteOfKind } from '../../../test/support/posts/public-posts.ts'
import { kinds } from '../../kinds/index.ts'
import { feedOfListing } from './feed-fields.ts'
import { jsonFeed } from './json-feed.ts'

for (const kind of kinds)
  test(`the feed of a listing of ${kind.site.plural} is JSON Feed 1.1 with plain text, labelled and licensed`, () => {
    const site = siteOfKind(kind)
    const post = shownPost(kind, { editedAt: '2026-11-16T08:00:00Z' })
    const feed = JSON.parse(jsonFeed(site, feedOfListing(listingOf([post]))))
    assert.equal(feed.version, 'https://jsonfeed.org/version/1.1')
    assert.equal(feed.feed_url, `${site.baseUrl}/topics/ferries/index.json`)
    assert.equal(feed.home_page_url, `${site.baseUrl}/topics/ferries/`)
    assert.match(feed.description, /untrusted-user-content/)
    const label = { content_trust: 'untrusted-user-content', license: post.license }
    assert.deepEqual(feed._broadside, { about: `${site.baseUrl}/docs/feeds/`, ...label })
    const [item] = feed.items
    assert.deepEqual(item._broadside, { ...label, json_url: post.json_url, author_domain: null })
    assert.equal(item.content_html, undefined)
    assert.equal(item.content_text, kind.presentation.text(post.content))
    assert.equal(item.title, kind.presentation.hasTitle ? kind.presentation.headline(post.content) : undefined)
    assert.deepEqual([item.id, item.url], [post.url, post.url])
    assert.deepEqual([item.date_published, item.date_modified], [post.published_at, post.edited_at])
    assert.deepEqual(item.tags, (post.content as { topics?: string[] }).topics)
    const read = parseJsonFeed(feed)
    assert.equal(read.items?.[0]?.content_text, item.content_text)
    assert.equal(read.feed_url, feed.feed_url)
  })

test('an empty front page has a feed without items', () => {
  const site = siteOfKind(kinds[0]!)
  const feed = JSON.parse(jsonFeed(site, feedOfListing(listingOf([], { path: '', name: '' }))))
  assert.deepEqual([feed.feed_url, feed.home_page_url], [`${site.baseUrl}/index.json`, `${site.baseUrl}/`])
  assert.deepEqual([feed.title, feed.items], [site.kind.site.title, []])
})
