import { type Files, withdrawn } from '../../../src/platform/page-store/site-store.ts'

/** What is published now: posts by id with their forms, and other files by path. */
export type Shown = { posts: Map<string, 'shown' | 'gone'>; files: Map<string, string> }

export const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item

const listings = ['index', 'topics/ferries/index', 'places/pt/index']
const documents = [
  ...['archive/2026-11/1/index.html', 'docs/errors/index.html'],
  ...['llms.txt', 'robots.txt', '.well-known/api-catalog', '.well-known/security.txt', 'mcp/server-card', 'skill.md'],
  ...[
    'assets/site.css',
    'assets/fonts/abril.woff2',
    'favicon.svg',
    'problems/not_found.html',
    'problems/not_found.json',
  ],
  ...['problems/index.html', 'problems/index.json', 'docs/errors.md', 'openapi.yml', 'sitemap.xml', 'policy.json'],
]
/** Every site has these from the beginning, so that their folders exist in a directory. */
export const foundation: ReadonlyMap<string, string> = new Map(
  [
    'docs',
    'docs/errors',
    'problems',
    'topics',
    'topics/ferries',
    'places',
    'places/pt',
    'archive',
    'assets',
    'mcp',
  ].map((folder) => [`${folder}/index.html`, folder]),
)

const author = 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab'

const words = 'ferry harbour rain notice Setúbal morning <p> market “quoted” & boat'.split(' ')
const text = () => Array.from({ length: 5 + Math.floor(Math.random() * 400) }, () => pick(words)).join(' ')

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const newId = () => `post_01${Array.from({ length: 24 }, () => pick([...alphabet])).join('')}`
const fileOf = (id: string, ending: string) => `p/${id.slice(-2)}/${id}.${ending}`

/** The next change of the site, which `shown` then contains, and whether a rebuild is swapped in at the same time. */
export function randomAction(shown: Shown): { isSwap: boolean; files: Files } {
  const action = pick([publish, publish, edit, withdraw, restore, list, list, unlist, write, close])
  const files = action(shown)
  for (const [path, content] of files)
    if (typeof content === 'string') shown.files.set(path, content)
    else shown.files.delete(path)
  return { isSwap: Math.random() < 0.1, files }
}

type Change = Map<string, string | null | typeof withdrawn>

const postFiles = (id: string, isShown: boolean): Change => {
  const files: Change = new Map([[fileOf(id, 'gone'), isShown ? null : '']])
  for (const ending of ['json', 'md', 'html'])
    files.set(fileOf(id, ending), isShown ? text() : pick<null | typeof withdrawn>([null, withdrawn]))
  return files
}

function publish({ posts }: Shown): Change {
  const id = newId()
  posts.set(id, 'shown')
  return postFiles(id, true)
}

function change(shown: Shown, from: 'shown' | 'gone', to: 'shown' | 'gone'): Change {
  const candidates = [...shown.posts].filter(([, state]) => state === from).map(([id]) => id)
  if (candidates.length === 0) return publish(shown)
  const id = pick(candidates)
  shown.posts.set(id, to)
  return postFiles(id, to === 'shown')
}
const edit = (shown: Shown) => change(shown, 'shown', 'shown')
const withdraw = (shown: Shown) => change(shown, 'shown', 'gone')
const restore = (shown: Shown) => change(shown, 'gone', 'shown')

const listingFiles = (path: string, isShown: boolean): Change =>
  new Map(
    [`${path}.html`, `${path}.json`, path.replace(/index$/, 'feed.xml')].map((file) => [file, isShown ? text() : null]),
  )
const list = () => listingFiles(pick(listings), true)
const unlist = () => listingFiles(pick(listings), false)
const write = () => new Map([[pick(documents), text()]])
const close = (): Change => {
  const isClosed = Math.random() < 0.5
  return new Map([
    [`by/${author}/gone`, isClosed ? '' : null],
    [`by/${author}/index.html`, isClosed ? null : text()],
  ])
}

/** Addresses that exist, existed, or never did. */
export function readablePaths({ posts }: Shown): string[] {
  const ids = [...posts.keys()].slice(-12)
  return [
    ...['/', '/nowhere', '/nowhere/', '/topics/nothing/', `/by/${author}/`, `/by/${author}/2/`, '/problems/not_found'],
    ...[
      '/problems/',
      '/problems/unknown_code',
      '/docs',
      '/topics/ferries',
      '/topics',
      '/places/pt?a=1',
      '/docs/errors',
    ],
    ...documents.map((path) => `/${path}`),
    ...listings.flatMap((path) =>
      ['', 'index.html', 'index.json', 'feed.xml'].map((name) => `/${path.replace(/index$/, name)}`),
    ),
    ...[...ids, ...ids, newId()].flatMap((id) => ['', '.json', '.md', '.ics'].map((form) => `/p/${id}${form}`)),
  ]
}

/** Addresses that try to reach something else. */
export const hostilePaths: readonly string[] = [
  ...[
    '/../x',
    '/%2e%2e/live',
    '/..%2flive',
    '/topics/..%2f..%2flive',
    '/p/..%2f..%2flive',
    '/%2e%2e%2flive',
    '/.trees/',
  ],
  ...[
    '/%00',
    '/a%00b',
    '/a\\b',
    '/..\\live',
    '/a%5cb',
    '/a%0d%0ax:y',
    '/a%20b',
    '/%c3%a9',
    '/a?list-type=2',
    '/?versions',
  ],
  ...[
    '//topics//ferries//',
    '/topics/./ferries/',
    '/index.html.gz',
    '/live',
    '/next',
    '/_store/live',
    '/_gateway/folder',
  ],
  ...[`/p/${'x'.repeat(31)}`, '/p/post_01jcmzq8e5f7r9t2v4x6%2fy8z0ab', '/p/ab/', '/p/post_%0a', '/.env', '/by/acct_x/'],
  ...[`/p/post_${'$'.repeat(26)}`, `/p/post_${'%25'.repeat(26)}.json`, '/problems/..%2findex', '/topics/ferries%2f'],
]
