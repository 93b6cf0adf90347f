import { type Html, html } from '../markup/html.ts'
import { fontPaths } from './assets.ts'
import { footer } from './footer.ts'
import { licenseUrl } from './license.ts'
import { masthead } from './masthead.ts'
import type { SiteView } from './views.ts'

export type Alternate = { type: string; href: string; title?: string }

export type Page = {
  /** What stands between the site's address and this page, without the first slash. */
  path: string
  /** Of the document; the site's name is added. */
  title: string
  description: string
  content: Html
  /** The same in other forms. */
  alternates?: readonly Alternate[]
  /** Whether the main content is users' text under CC BY 4.0. Our own words are not. */
  isUserContent?: boolean
  /** JSON-LD, already safe to stand in a script element. */
  structuredData?: Html
  /** Whether search engines should leave it out. */
  isUnlisted?: boolean
  /** Whether the masthead is the heading of the page. */
  isFront?: boolean
}

/** The frame of every page of a site. */
export function layout(site: SiteView, page: Page): Html {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
!${head(site, page)}
</head>
<body class="${site.kind.site.slug}">
<a class="skip" href="#content">Skip to the content</a>
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
!${page.isUnlisted ? html`<meta name="robots" content="noindex">` : addresses(site, page)}
!${page.isUserContent ? html`<link rel="license" href="${licenseUrl}">` : ''}
!${(page.alternates ?? []).map(alternateLink).join('\n')}
!${fontPaths(site.kind).map((path) => html`<link rel="preload" href="/${path}" as="font" type="font/woff2" crossorigin>`)}
<link rel="stylesheet" href="/assets/site.css">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
!${page.structuredData ? html`<script type="application/ld+json">!${page.structuredData}</script>` : ''}`
}

/** Where the page is, and what a link to it shows elsewhere. */
const addresses = (site: SiteView, page: Page): Html => html`<link rel="canonical" href="${site.baseUrl}/${page.path}">
<meta property="og:title" content="${page.title}">
<meta property="og:description" content="${page.description}">
<meta property="og:url" content="${site.baseUrl}/${page.path}">
<meta property="og:site_name" content="${site.kind.site.title}">`

const alternateLink = ({ type, href, title }: Alternate): Html =>
  title
    ? html`<link rel="alternate" type="${type}" href="${href}" title="${title}">`
    : html`<link rel="alternate" type="${type}" href="${href}">`
