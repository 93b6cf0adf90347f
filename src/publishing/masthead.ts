import { type Html, html } from '../markup/html.ts'
import { dollars } from './dollars.ts'
import type { Page } from './layout.ts'
import type { SiteView } from './views.ts'

/** The head of the sheet: the family, the name, and the ways through the site. */
export function masthead(site: SiteView, page: Page): Html {
  return html`<header class="masthead${page.isFront ? ' front' : ''}">
<nav class="family" aria-label="The Broadside sites"><ul>!${familyLinks(site)}</ul></nav>
!${page.isFront ? frontPlate(site) : html`<p class="nameplate"><a href="/">!${name(site)}</a></p>`}
<nav class="ways" aria-label="This site"><ul>!${ways(site)
    .map(({ path, label }) => link(`/${path}`, label, isWithin(page.path, path)))
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

/** The first word is the family's, the others are the sheet's own. */
const sheetOf = (title: string) => title.split(' ').slice(1).join(' ')

function name({ kind }: SiteView): Html {
  const [family] = kind.site.title.split(' ')
  return html`<span class="broadside">${family}</span> <span class="sheet">${sheetOf(kind.site.title)}</span>`
}

/** As newspapers have them, the ears beside the name carry what a stranger asks first. */
function frontPlate(site: SiteView): Html {
  const { noun } = site.kind.site
  return html`<div class="plate">
<p class="ear"><strong>Free to read</strong> <span>by people and by machines, as pages, feeds, JSON and Markdown</span></p>
<h1 class="nameplate">!${name(site)}</h1>
<p class="ear"><strong>${dollars(site.kind.priceMicros)} per ${noun}</strong> <span>to publish, by one HTTP call from a software agent</span></p>
</div>
<p class="tagline">${site.kind.site.tagline}</p>`
}

function ways({ kind }: SiteView) {
  return [
    { path: '', label: 'Latest' },
    { path: 'topics/', label: 'Topics' },
    // A kind without a place has nothing to list there.
    ...('location' in kind.content.shape ? [{ path: 'places/', label: 'Places' }] : []),
    { path: 'archive/', label: 'Archive' },
    { path: 'search', label: 'Search' },
    { path: 'docs/', label: 'Docs' },
  ]
}
