import type { Alternate } from '../../publishing/page-frame.ts'

/** A page of the documentation as Markdown. */
export type BookPage = {
  /** The path below the site's address: `docs/quickstart/`. */
  path: string
  title: string
  /** The heading under which the navigation lists it. */
  group: string
  description: string
  alternates: readonly Alternate[]
  /** The deepest level of headings that “On this page” lists. */
  deepestHeading?: 2 | 3
  text: () => string
}

/** A page as the navigation lists it. */
export type NavigationEntry = Pick<BookPage, 'path' | 'title' | 'group'>

/** Where the page is served as Markdown: `docs/quickstart.md` for `docs/quickstart/`. */
export const markdownPath = (path: string): string =>
  path === 'docs/' || !path.startsWith('docs/') ? `${path}index.md` : path.replace(/\/$/, '.md')

/** What the search in the documentation reads. */
export const searchIndexPath = 'docs/search-index.json'
