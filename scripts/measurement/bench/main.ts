import { runNamed } from '../../../tooling/script-options.ts'

/** Each is loaded only when it is asked for. */
export const benches = {
  ledger: {
    summary: 'charges a second through the code, compared with pgbench running the same statements',
    load: async () => (await import('./ledger.ts')).benchLedger,
  },
  mcp: {
    summary: 'get_status and search_posts calls a second over MCP, compared with the same operations of the JSON API',
    load: async () => (await import('./mcp.ts')).benchMcp,
  },
  moderation: {
    summary: 'posts a second through all stages with the local model, and the latency for callers',
    load: async () => (await import('./submit/moderation.ts')).benchModeration,
  },
  pages: {
    summary: 'time from a decision to its page and feeds under load, with few and many posts stored; and a rebuild',
    load: async () => (await import('./pages/pages.ts')).benchPages,
  },
  processes: {
    summary: 'CPU time until each process is ready, and memory and CPU time of all without work',
    load: async () => (await import('../processes/processes.ts')).benchProcesses,
  },
  scale: {
    summary: 'submit, publish, browse, search, desk, delivery, rebuild and bytes per post at several sizes, in turns',
    details: `
  --sizes N,N      numbers of posts
  --keep           use existing databases broadside_seed_N, whatever code created them
  --only NAME,…    of: tables, read (browse, search, desk), publish, submit, delivery, rebuild
  --seconds N      length of each measurement
  --rounds N       repetitions of each measurement that are interleaved
  --output FILE    the measurements as JSON`,
    load: async () => (await import('./scale/scale.ts')).benchScale,
  },
  search: {
    summary: 'searches of every class over seeded posts, through the gateway compared with the bare statement',
    load: async () => (await import('./search/search.ts')).benchSearch,
  },
  submit: {
    summary:
      'submissions a second over HTTP, compared with pgbench running the same transaction, with few and many posts stored',
    load: async () => (await import('./submit/submit.ts')).benchSubmit,
  },
  webhooks: {
    summary: 'signed and recorded deliveries a second, compared with a bare undici loop that posts the same bytes',
    load: async () => (await import('./webhooks/webhooks.ts')).benchWebhooks,
  },
}

if (import.meta.main) await runNamed({ command: 'npm run bench', what: 'name' }, benches)
