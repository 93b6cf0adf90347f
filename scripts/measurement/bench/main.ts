import { runNamed } from '../../../tooling/script-options.ts'

/** Each is loaded only when it is asked for. */
export const benches = {
  apps: {
    summary: 'get_account calls a second with an access token, and renewals, compared with the same calls with a key',
    load: async () => (await import('./apps.ts')).benchApps,
  },
  ceiling: {
    summary: '2,000 requests a second against a limit of 100: accepted requests, and the effect on page readers',
    load: async () => (await import('./gateway/ceiling.ts')).benchCeiling,
  },
  desk: {
    summary: 'a reviewer decides mixed cases in Chromium by keyboard; DESK_SHOTS=folder saves screenshots',
    load: async () => (await import('./desk/desk.ts')).benchDesk,
  },
  ledger: {
    summary: 'charges a second through the code, compared with pgbench running the same statements',
    load: async () => (await import('./ledger.ts')).benchLedger,
  },
  mcp: {
    summary: 'get_status and search_posts calls a second over MCP, compared with the same operations of the JSON API',
    load: async () => (await import('./mcp.ts')).benchMcp,
  },
  model: {
    summary: 'CPU time of the local model for a median post, a p95 post and the longest story',
    load: async () => (await import('./model.ts')).benchModel,
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
  proofs: {
    summary:
      'what signing and logging a post costs: time compared with the bare signature, bytes in pages, files and rows',
    load: async () => (await import('./proofs.ts')).benchProofs,
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
  standby: {
    summary:
      'submissions a second with a synchronous standby at several delays: wake-ups after the commit, inside it, or none',
    load: async () => (await import('./submit/standby.ts')).benchStandby,
  },
  static: {
    summary: 'files a second through the gateway, compared with a bare nginx with the same files',
    load: async () => (await import('./gateway/static.ts')).benchStatic,
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
