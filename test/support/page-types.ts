import { archivePageSize } from '../../src/publishing/views.ts'
import type { StagedSite } from './staged-sites.ts'

export type PageType = {
  name: string
  url: string
  /** Of our own words. Its elements are the same on every site; its looks are not. */
  isDocument: boolean
}

/** One page of every type that a site has. */
export function pageTypesOf(site: StagedSite): PageType[] {
  const { baseUrl, inRole } = site
  const post = (role: Parameters<typeof inRole>[0]) => inRole(role) && `p/${inRole(role)?.id}`
  const paths: Record<string, string | undefined> = {
    front: '',
    post: post('plain'),
    'post that is over': post('over'),
    'post right to left': post('written right to left'),
    'hostile post': post('hostile'),
    ...shelvesOf(site),
    topics: 'topics/',
    places: 'location' in site.kind.content.shape ? 'places/' : undefined,
    archive: 'archive/',
    transparency: 'transparency/',
    'archive page': 'archive/2026-11/1/',
    'archive page with a next one': site.posts.length > archivePageSize ? 'archive/2026-10/1/' : undefined,
    search: 'search',
    'search with results': 'search?q=harbour',
    'search without results': 'search?q=unfindable&kind=story&country=PT',
    'search that cannot be made': 'search?q=-harbour&topic=%26',
    ...documents,
    'not found': 'nothing-here',
    gone: post('removed'),
  }
  return Object.entries(paths).flatMap(([name, path]) =>
    path === undefined ? [] : [{ name, url: `${baseUrl}/${path}`, isDocument: name in documents }],
  )
}

const documents = {
  docs: 'docs/',
  webhooks: 'docs/webhooks/',
  reference: 'docs/reference/',
  policy: 'policy/',
  problems: 'problems/',
  problem: 'problems/insufficient_balance',
  changelog: 'changelog/',
  about: 'about/',
}

/** Of the post that stands for all: its topic, and its places from the widest. And a topic that nothing is left of. */
function shelvesOf({ kind, posts }: StagedSite): Record<string, string | undefined> {
  const pathsOf = ({ body }: { body: object }) => kind.shelves(kind.body.parse(body)).map((path) => `${path}/`)
  const ofPlain = posts.filter(({ role }) => role === 'plain').flatMap(pathsOf)
  const [country, state, city] = ofPlain.filter((path) => path.startsWith('places/'))
  const current = new Set(posts.filter(({ role }) => role !== 'over').flatMap(pathsOf))
  const emptied = posts.filter(({ role }) => role === 'over').flatMap(pathsOf)
  return {
    topic: ofPlain.find((path) => path.startsWith('topics/')),
    'topic without current posts': emptied.find((path) => !current.has(path)),
    ...{ country, state, city },
  }
}
