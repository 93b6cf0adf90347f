import type { ShelfView, SiteView } from '../views.ts'

/** Where the page of a shelf stands, with the last slash; a feed of it has its file name behind. */
export const shelfUrl = ({ baseUrl }: SiteView, { path }: Pick<ShelfView, 'path'>): string =>
  path === '' ? `${baseUrl}/` : `${baseUrl}/${path}/`

/** What a feed of it is called where it stands among others. */
export const shelfTitle = ({ kind }: SiteView, { name }: Pick<ShelfView, 'name'>): string =>
  name === '' ? kind.site.title : `${name} · ${kind.site.title}`
