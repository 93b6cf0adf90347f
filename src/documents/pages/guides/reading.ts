import { inputSchema } from '../../../contract/generators/json-schema.ts'
import { licenseRecord } from '../../../contract/post-license.ts'
import { keptFor } from '../../../contract/retention/periods.ts'
import { kinds } from '../../../kinds/index.ts'
import { searchFiltersOf } from '../../../kinds/search-filters.ts'
import { freeSearches } from '../../../ledger/prices.ts'
import { examplePublicPost } from '../../../posts/public/public-post.ts'
import { examplePostId } from '../../../posts/status/status-record.ts'
import { archivePageSize, listingPageSize, listingSize } from '../../../publishing/views.ts'
import { maxWords } from '../../../search/read-query.ts'
import { weighedPosts } from '../../../search/search-statement.ts'
import { searchTimeoutMs } from '../../../search/time-limit.ts'
import type { DocumentSite } from '../document-site.ts'
import { exampleFences } from '../examples/call-fences.ts'
import { localised, operationNamed } from '../examples/examples.ts'
import type { TextFacts } from '../fill.ts'
import { jsonFence, markdownTable, tableRows } from '../markdown-parts.ts'
import { type Field, fieldsOf } from '../schema-fields.ts'

export function readingFacts(site: DocumentSite): TextFacts {
  const example = localised(site, examplePublicPost(site.kind))
  return {
    paths: markdownTable(['Path', 'Contents'], pathRows(site)),
    place_codes: [hasPlaces(site) ? placeCodes : '', hasCities(site) ? cityCodes : ''].filter(Boolean).join(' '),
    shelf_size: String(listingSize),
    listing_page_size: String(listingPageSize),
    archive_page_size: String(archivePageSize),
    forms: markdownTable(['`Accept`', 'Path', 'Format'], formRows(site)),
    public_post: jsonFence(example),
    attribution: example.content.attribution,
    browse: exampleFences(site, 'browsePosts'),
    search: exampleFences(site, 'searchPosts', { query: { q: 'ferry', sort: 'newest' } }),
    search_seconds: String(searchTimeoutMs / 1_000),
    search_words: String(maxWords),
    weighed_posts: String(weighedPosts),
    free_with_key: String(freeSearches.withKey),
    free_without_key: String(freeSearches.withoutKey),
    report: exampleFences(site, 'reportPost'),
    search_filters: tableRows(searchFilterRows(site)),
    filters: markdownTable(['Parameter', 'Description'], parametersOf(site, 'browsePosts').map(rowOf)),
  }
}

export function feedsFacts(site: DocumentSite): TextFacts {
  const { baseUrl } = site
  const label = { content_trust: 'untrusted-user-content', license: licenseRecord }
  const json_url = `${baseUrl}/p/${examplePostId}.json`
  return {
    shelf_size: String(listingSize),
    paths: markdownTable(['Path', 'Format', 'Content type'], feedRows(site)),
    extension: markdownTable(['Field in `_broadside`', 'Description'], extensionRows),
    on_feed: jsonFence({ _broadside: { about: `${baseUrl}/docs/feeds/`, ...label } }),
    on_item: jsonFence({ _broadside: { ...label, json_url, author_domain: 'example.com' } }),
    calendar: site.kind.presentation.occasion ? calendar : 'This site has no calendar, because its posts have no date.',
  }
}

const hasCalendar = ({ kind }: DocumentSite) => kind.presentation.occasion !== undefined
const hasPlaces = ({ kind }: DocumentSite) => 'country' in kind.filters
const hasCities = ({ kind }: DocumentSite) => 'city' in kind.filters

const placeCodes = 'Codes in paths are lowercase: `/places/us/us-ca/`.'
const cityCodes = 'For a city without a state, use a hyphen: `/places/pt/-/2267057/`.'

const pathRows = (site: DocumentSite): string[][] => [
  ['[/](/)', `The front page: ${hasCalendar(site) ? 'upcoming events' : 'the newest posts'}.`],
  ['`/p/{id}`', 'One post.'],
  ['[/topics/](/topics/), `/topics/{topic}/`', 'All topics, and the posts in one topic.'],
  ...(hasPlaces(site)
    ? [
        [
          '[/places/](/places/), `/places/{country}/`, `/places/{country}/{state}/`',
          'All countries, and the posts in a country or a part of it.',
        ],
      ]
    : []),
  ...(hasCities(site) ? [['`/places/{country}/{state or -}/{geonames_id}/`', 'The posts in a city.']] : []),
  ...Object.entries(site.kind.listingTypes ?? {}).map(([type, { title, index }]) =>
    index
      ? [`[/${type}/](/${type}/), \`/${type}/{…}/\``, `${title}: ${index.introduction}`]
      : [`\`/${type}/\``, `${title}.`],
  ),
  ['`/by/{account_id}/`', 'The posts of an author.'],
  ['[/archive/](/archive/), `/archive/{yyyy-mm}/{n}/`', 'All published posts, by month.'],
  ['[/index.json](/index.json), [/feed.xml](/feed.xml)', 'Feeds for the front page. Every list has its own feeds.'],
  ...(hasCalendar(site)
    ? [['[/events.ics](/events.ics)', 'The calendar for the front page. Every list has its own calendar.']]
    : []),
  ['[/deleted.json](/deleted.json)', `Posts deleted or removed in the last ${keptFor('withdrawals')}.`],
  [
    '[/transparency/](/transparency/), [/transparency/index.json](/transparency/index.json)',
    'Daily statistics on moderation decisions.',
  ],
  ['[/sitemap.xml](/sitemap.xml)', 'Every page.'],
]

const formRows = (site: DocumentSite): string[][] => [
  ['`text/html`, or anything else', '`/p/{id}`', 'The page, for people.'],
  ['`application/json`', '`/p/{id}.json`', 'The same post as data.'],
  ['`text/markdown`', '`/p/{id}.md`', 'The same post as Markdown, with the user’s text as a quotation.'],
  ...(hasCalendar(site) ? [['–', '`/p/{id}.ics`', 'The event as iCalendar.']] : []),
]

function parametersOf(site: DocumentSite, operation: string): Field[] {
  const { query } = operationNamed(site, operation)
  return query ? fieldsOf(inputSchema(query)) : []
}

const rowOf = ({ path, description, limits, example }: Field): string[] => [
  `\`${path}\``,
  [description, ...limits, example && `example: \`${example}\``].filter(Boolean).join(' · '),
]

/** `kind` and the filters specific to some kinds. Each filter lists its kinds, unless it applies to all. */
function searchFilterRows(site: DocumentSite): string[][] {
  const filters = new Map(searchFiltersOf(kinds).map((filter) => [filter.name, filter]))
  return parametersOf(site, 'searchPosts')
    .filter(({ path }) => path === 'kind' || filters.has(path))
    .map((field) => {
      const found = filters.get(field.path)?.kinds ?? kinds
      const only = found.length < kinds.length ? [`finds ${inWords(found.map(({ site: { plural } }) => plural))}`] : []
      return rowOf({ ...field, limits: [...field.limits, ...only] })
    })
}

const inWords = (names: readonly string[]) => new Intl.ListFormat('en-GB').format(names)

const feedRows = (site: DocumentSite): string[][] => [
  ['[/index.json](/index.json)', 'JSON Feed 1.1', '`application/feed+json`'],
  ['[/feed.xml](/feed.xml)', 'RSS 2.0', '`application/rss+xml`'],
  ...(hasCalendar(site) ? [['[/events.ics](/events.ics)', 'iCalendar', '`text/calendar`']] : []),
]

const extensionRows: string[][] = [
  ['`about`', 'The address of this page. On the feed only.'],
  ['`content_trust`', 'Always `untrusted-user-content`.'],
  ['`license`', 'The licence for the text, as `id` (SPDX) and `url`.'],
  ['`json_url`', 'The post as JSON, with every field. On items only.'],
  ['`author_domain`', 'A verified domain of the author, or null. On items only.'],
]

const calendar =
  '`events.ics` is iCalendar (RFC 5545), served as `text/calendar`; subscribe to it in any calendar. Times are in UTC. ' +
  'A `UID` stays the same when an event is edited. An event that was deleted or removed stays for ' +
  `${keptFor('withdrawals')} as ` +
  '`STATUS:CANCELLED`, with its time and without text, so that calendars drop it. `X-CONTENT-TRUST` marks the text ' +
  'as untrusted. A single event is at `/p/{id}.ics`.'
