import { runNamed } from '../../../tooling/script-options.ts'

/** Each is loaded only when it is asked for. */
export const benches = {
  decisions: {
    summary: 'posts through all stages with the local model: time to a decision, CPU time for each',
    load: async () => (await import('./decisions.ts')).benchDecisions,
  },
  ledger: {
    summary: 'charges through the code, compared with pgbench running the same statement',
    load: async () => (await import('./ledger.ts')).benchLedger,
  },
  lists: {
    summary: 'GET /v1/posts with each filter, with few and many posts stored',
    load: async () => (await import('./lists.ts')).benchLists,
  },
  mcp: {
    summary: 'get_status and search_posts over MCP, compared with the same operations of the JSON API',
    load: async () => (await import('./mcp.ts')).benchMcp,
  },
  pages: {
    summary: 'time from a decision to the page and the feed, with few and many posts stored',
    load: async () => (await import('./pages.ts')).benchPages,
  },
  rebuild: {
    summary: 'pages a second of a rebuild, and the files and bytes of a post, for each site',
    load: async () => (await import('./rebuild.ts')).benchRebuild,
  },
  search: {
    summary: 'searches of each class over HTTP, compared with the bare statement',
    load: async () => (await import('./search.ts')).benchSearch,
  },
  start: {
    summary: 'CPU time until each process is ready, and memory and CPU time of all without work',
    load: async () => (await import('./start.ts')).benchStart,
  },
  submit: {
    summary: 'submissions over HTTP, with few and many posts stored, and their times at 100 a second',
    load: async () => (await import('./submit.ts')).benchSubmit,
  },
  webhooks: {
    summary: 'signed and recorded deliveries, compared with an undici loop that posts the same bytes',
    load: async () => (await import('./webhooks.ts')).benchWebhooks,
  },
}

const details = `Each opens a database with seeded posts, which it makes the first time (a million posts take about ten minutes), warms
up, and measures its sides in turns. The ratio is to the first side of the same round.`

if (import.meta.main) await runNamed({ command: 'npm run bench', what: 'name', details }, benches)
