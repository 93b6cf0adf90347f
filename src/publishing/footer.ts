import { type Html, html } from '../markup/html.ts'
import { feedsOf } from './feed-links.ts'
import { licenseUrl } from './license.ts'
import type { SiteView } from './views.ts'

export function footer(site: SiteView): Html {
  return html`<footer class="footer">
<nav aria-label="More">
!${column('Documents', [
    { href: '/docs/', label: 'Documentation' },
    { href: '/policy/', label: 'Policy' },
    { href: '/transparency/', label: 'Transparency' },
    { href: '/about/', label: 'About' },
    { href: '/changelog/', label: 'Changelog' },
  ])}
!${column('For machines', [
    { href: '/llms.txt', label: 'llms.txt' },
    { href: '/openapi.yml', label: 'OpenAPI' },
    ...feedsOf(site, '').map(({ href, title }) => ({ href, label: title })),
  ])}
!${column(
    'Broadside',
    site.family.map(({ title, baseUrl }) => ({ href: `${baseUrl}/`, label: title })),
  )}
</nav>
<p class="small">The text of posts belongs to those who wrote it and is licensed under <a href="${licenseUrl}">CC BY 4.0</a>. The words, the design and the marks of Broadside itself are not.</p>
</footer>`
}

const column = (title: string, links: readonly { href: string; label: string }[]): Html => html`<div>
<h2>${title}</h2>
<ul>!${links.map(({ href, label }) => html`<li><a href="${href}">${label}</a></li>`)}</ul>
</div>`
