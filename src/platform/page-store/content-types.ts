/**
 * The media types of files, as the gateway sends them from a directory: the first pattern that a path matches counts.
 * `deploy/nginx/` has the same rules by location; test/gateway/page-stores.test.ts compares both.
 */
const types: readonly (readonly [RegExp, string])[] = [
  [/^llms(-full)?\.txt$/, 'text/markdown; charset=utf-8'],
  [/^\.well-known\/api-catalog$/, 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
  [/^\.well-known\/ai-catalog\.json$/, 'application/ai-catalog+json'],
  [/^(\.well-known\/mcp\/server-card\.json|mcp\/server-card)$/, 'application/mcp-server-card+json'],
  [/^(\d+\/)?checkpoint$/, 'text/plain; charset=utf-8'],
  // In a folder of feeds these names mean feeds.
  [/(^|\/)feed\.xml$/, 'application/rss+xml; charset=utf-8'],
  [/^(problems|transparency|\.well-known)\//, ''],
  [/(^|\/)index\.json$/, 'application/feed+json'],
]

const typesByEnding: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  'tlog-proof': 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  ics: 'text/calendar; charset=utf-8',
  json: 'application/json',
  yml: 'application/yaml',
  yaml: 'application/yaml',
  xml: 'application/xml',
  webmanifest: 'application/manifest+json',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
}

export function contentTypeOf(path: string): string {
  const special = types.find(([pattern]) => pattern.test(path))?.[1]
  return special || (typesByEnding[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream')
}

/** How long a reader may keep a file, as the gateway says it. */
export function cacheControlOf(path: string): string {
  if (path.endsWith('.woff2')) return 'public, max-age=604800'
  if (/^(\d+\/)?checkpoint$/.test(path)) return 'no-store'
  if (/^(\d+\/)?tile\//.test(path)) return 'public, max-age=604800, immutable'
  if (/^(assets\/|favicon\.svg$)|server-card(\.json)?$/.test(path)) return 'public, max-age=3600'
  return 'public, max-age=60, stale-while-revalidate=300'
}

/** These files are compressed already. */
export const isCompressedType = (path: string): boolean => /\.(png|woff2|ico)$/.test(path)

/** An empty file that says that something was withdrawn. */
export const isMarker = (path: string): boolean => /(^|[./])gone$/.test(path)

/** For texts of a few kilobytes, level 6 takes a quarter longer and saves nothing. */
export const gzipOptions = { level: 5 }
