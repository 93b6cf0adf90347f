import { postLicense, rslFile } from '../contract/post-license.ts'
import type { OpenGraph } from '../kinds/presentation/presentation.ts'
import { type Html, html } from '../markup/html.ts'
import { dollars } from '../markup/money.ts'
import { fontPaths, paperColours, touchIconPath } from './assets.ts'
import { untrustedLabel } from './user-content-notice.ts'
import type { SiteView } from './views.ts'

export type Alternate = { type: string; href: string; title?: string }

export type Page = {
  /** The path of this page on the site, without the leading slash. */
  path: string
  /** The path of the navigation link that leads to this page, if the page is not below that path. */
  section?: string
  /** The document title; the site's name is appended. */
  title: string
  description: string
  content: Html
  /** The same content in other formats. */
  alternates?: readonly Alternate[]
  /** Whether the main content is users' text, which is licensed under CC BY 4.0. Our own text is not. */
  isUserContent?: boolean
  /** JSON-LD, already escaped for a script element. */
  structuredData?: Html
  /** How other sites show a link to the page. Without it, the page is part of a website and has no picture. */
  preview?: Preview
  /** Whether the page asks search engines not to index it. */
  isUnlisted?: boolean
  /** Whether the masthead is the heading of the page. */
  isFront?: boolean
}

/** The picture has 1200 × 630 pixels. */
export type Preview = OpenGraph & { image: { url: string; alt: string } }

/** The HTML document around the content of every page on a site. */
export function layout(site: SiteView, page: Page): Html {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
!${head(site, page)}
</head>
<body class="${site.kind.site.slug}">
<a class="skip" href="#content">Skip to content</a>
!${masthead(site, page)}
<main id="content" tabindex="-1">
!${page.content}
</main>
!${footer(site)}
</body>
</html>
`
}

function head(site: SiteView, page: Page): Html {
  const { title } = site.kind.site
  const documentTitle = page.isFront ? `${title}: ${page.title}` : `${page.title} · ${title}`
  return html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${documentTitle}</title>
<meta name="description" content="${page.description}">
<meta name="color-scheme" content="light dark">
!${themeColours(site)}
!${page.isUnlisted ? html`<meta name="robots" content="noindex">` : addresses(site, page)}
!${page.isUserContent ? userContentTags : ''}
!${(page.alternates ?? []).map(alternateLink).join('\n')}
!${fontPaths(site.kind).map((path) => html`<link rel="preload" href="/${path}" as="font" type="font/woff2" crossorigin>`)}
<link rel="stylesheet" href="/assets/site.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
!${touchIcon(site)}
!${page.structuredData ? html`<script type="application/ld+json">!${page.structuredData}</script>` : ''}`
}

/** The canonical URL of the page and its preview metadata. */
const addresses = (site: SiteView, page: Page): Html => html`<link rel="canonical" href="${site.baseUrl}/${page.path}">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${site.baseUrl}/${page.path}">
<meta property="og:site_name" content="${site.kind.site.title}">
!${previewTags(page.preview)}`

const previewTags = (preview: Preview | undefined): Html =>
  [
    ...(preview ? picturePreview(preview) : [['og:type', 'website'] as const]).map(
      ([property, content]) => html`<meta property="${property}" content="${content}">`,
    ),
    html`<meta name="twitter:card" content="${preview ? 'summary_large_image' : 'summary'}">`,
  ].join('\n')

const picturePreview = ({ type, properties, image }: Preview): OpenGraph['properties'] => [
  ['og:type', type],
  ...properties,
  ['og:image', image.url],
  ['og:image:type', 'image/png'],
  ['og:image:width', '1200'],
  ['og:image:height', '630'],
  ['og:image:alt', image.alt],
]

const userContentTags = html`<link rel="license" href="${postLicense.url}">
<link rel="license" type="${rslFile.mediaType}" href="/${rslFile.path}">
<meta name="content-trust" content="${untrustedLabel}">`

/** The colour of the browser's own bars: that of the paper. */
function themeColours({ kind }: SiteView): Html {
  const { light, dark } = paperColours(kind)
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light}">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark}">`
}

function touchIcon({ kind }: SiteView): Html {
  const path = touchIconPath(kind)
  return path === undefined ? '' : html`<link rel="apple-touch-icon" href="/${path}">`
}

const alternateLink = ({ type, href, title }: Alternate): Html =>
  title
    ? html`<link rel="alternate" type="${type}" href="${href}" title="${title}">`
    : html`<link rel="alternate" type="${type}" href="${href}">`

/** The masthead: the brand, the site's name and its navigation. */
export function masthead(site: SiteView, page: Page): Html {
  return html`<header class="masthead${page.isFront ? ' front' : ''}">
<div class="top"><nav class="family" aria-label="The Broadside sites"><ul>!${familyLinks(site)}</ul></nav>!${page.isFront ? html`<p class="tagline">${site.kind.site.tagline}</p>` : ''}</div>
!${page.isFront ? frontPlate(site) : html`<p class="nameplate"><a href="/">!${name(site)}</a></p>`}
<nav class="ways" aria-label="This site"><ul>!${ways(site)
    .map(({ path, label }) => link(`/${path}`, label, isWithin(page.section ?? page.path, path)))
    .join('')}</ul></nav>
</header>`
}

const familyLinks = ({ family, kind }: SiteView): Html =>
  family.map(({ slug, title, baseUrl }) => link(`${baseUrl}/`, sheetOf(title), slug === kind.site.slug)).join('')

const link = (href: string, label: string, isCurrent: boolean): Html =>
  isCurrent
    ? html`<li><a href="${href}" aria-current="true">${label}</a></li>`
    : html`<li><a href="${href}">${label}</a></li>`

const isWithin = (path: string, way: string) => path === way || (way !== '' && path.startsWith(way))

/** The site's name in its title. The first word is the brand. */
const sheetOf = (title: string) => title.split(' ').slice(1).join(' ')

function name({ kind }: SiteView): Html {
  const [family] = kind.site.title.split(' ')
  return html`<span class="broadside">${family}</span> <span class="sheet">${sheetOf(kind.site.title)}</span>`
}

/** As in a newspaper, the boxes beside the name tell newcomers what the site is and what it costs. */
function frontPlate(site: SiteView): Html {
  const { noun } = site.kind.site
  return html`<div class="plate">
<p class="ear"><strong>Free to read</strong> <span>by people and by machines, as pages, feeds, JSON and Markdown</span></p>
<h1 class="nameplate">!${name(site)}</h1>
<p class="ear"><strong>${dollars(site.kind.priceMicros)} per ${noun}</strong> <span>to publish, with one HTTP call from a software agent</span></p>
</div>`
}

function ways({ kind }: SiteView) {
  return [
    { path: '', label: kind.presentation.occasion ? 'Upcoming' : 'Latest' },
    ...Object.entries(kind.listingTypes ?? {}).flatMap(([type, { title, index }]) =>
      index ? [{ path: `${type}/`, label: title }] : [],
    ),
    // A kind without the field has no such pages.
    ...('topics' in kind.content.shape ? [{ path: 'topics/', label: 'Topics' }] : []),
    ...('location' in kind.content.shape ? [{ path: 'places/', label: 'Places' }] : []),
    { path: 'archive/', label: 'Archive' },
    { path: 'search', label: 'Search' },
    { path: 'docs/', label: 'Docs' },
    { path: 'publish/', label: 'Publish' },
  ]
}

export function footer(site: SiteView): Html {
  return html`<footer class="footer">
<nav aria-label="More">
!${column('Documents', [
    { href: '/publish/', label: 'Publish' },
    { href: '/archive/', label: 'Archive' },
    { href: '/docs/', label: 'Documentation' },
    { href: '/policy/', label: 'Policy' },
    { href: '/terms/', label: 'Terms' },
    { href: '/transparency/', label: 'Transparency' },
    { href: '/verify/', label: 'Verify a post' },
    { href: '/about/', label: 'About' },
    { href: '/changelog/', label: 'Changelog' },
  ])}
!${column('For machines', [
    { href: '/llms.txt', label: 'llms.txt' },
    { href: '/openapi.yml', label: 'OpenAPI' },
    { href: '/docs/mcp/', label: 'MCP' },
    ...feedsOf(site, '').map(({ href, title }) => ({ href, label: title })),
  ])}
!${column(
    'Broadside',
    site.family.map(({ title, baseUrl }) => ({ href: `${baseUrl}/`, label: sheetOf(title) })),
  )}
</nav>
<p class="small">The text of posts belongs to their authors and is licensed under <a href="${postLicense.url}">${postLicense.name}</a>. The text, design and trademarks of Broadside itself are not.</p>
</footer>`
}

const column = (title: string, links: readonly { href: string; label: string }[]): Html => html`<div>
<h2>${title}</h2>
<ul>!${links.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}</ul>
</div>`

/** The feeds of the listing with this path. */
export function feedsOf({ kind }: SiteView, path: string): (Alternate & { title: string })[] {
  const base = path === '' ? '/' : `/${path}/`
  return [
    { type: 'application/rss+xml', href: `${base}feed.xml`, title: 'RSS' },
    { type: 'application/feed+json', href: `${base}index.json`, title: 'JSON Feed' },
    ...(kind.presentation.occasion ? [{ type: 'text/calendar', href: `${base}events.ics`, title: 'iCal' }] : []),
  ]
}

export const feedLinks = (feeds: readonly Alternate[]): Html =>
  html`<ul class="feeds" aria-label="Feeds">!${feeds.map(({ href, type, title }) => html`<li><a href="${href}" type="${type}">${title}</a></li>`)}</ul>`
