/** Content types by path, as defined by the standards. The first match wins. */
export const contentTypes: readonly [RegExp, string][] = [
  [/^\/p\/post_\w+$|^\/problems\/\w+$|\/$/, 'text/html; charset=utf-8'],
  [/^\/((topics|places|by|categories|months|online)\/.*)?index\.json$/, 'application/feed+json'],
  [/^\/license\.xml$/, 'application/rsl+xml'],
  [/\.tlog-proof$/, 'text/plain; charset=utf-8'],
  [/\/feed\.xml$/, 'application/rss+xml; charset=utf-8'],
  [/\.ics$/, 'text/calendar; charset=utf-8'],
  [/\.md$|^\/llms(-full)?\.txt$/, 'text/markdown; charset=utf-8'],
  [/\.yml$/, 'application/yaml'],
  [/^\/sitemap(s\/[\w-]+)?\.xml$/, 'application/xml'],
  [/^\/\.well-known\/api-catalog$/, 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"'],
  [/^\/\.well-known\/ai-catalog\.json$/, 'application/ai-catalog+json'],
  [/^\/mcp\/server-card$|^\/\.well-known\/mcp\/server-card\.json$/, 'application/mcp-server-card+json'],
  [/^\/(robots|\.well-known\/security)\.txt$/, 'text/plain; charset=utf-8'],
  [/\.json$/, 'application/json'],
  [/\.css$/, 'text/css; charset=utf-8'],
  [/\.js$/, 'text/javascript; charset=utf-8'],
  [/\.svg$/, 'image/svg+xml'],
  [/\.png$/, 'image/png'],
  [/\.woff2$/, 'font/woff2'],
]

export const rowOf = (url: string) => contentTypes.find(([pattern]) => pattern.test(new URL(url).pathname))
