import { drawFlameGraph } from '../flame/flame.ts'
import { benchProcesses } from '../processes/processes.ts'
import { benchApps } from './apps.ts'
import { benchCards } from './cards.ts'
import { benchDesk } from './desk/desk.ts'
import { benchCeiling } from './gateway/ceiling.ts'
import { benchStatic } from './gateway/static.ts'
import { benchLedger } from './ledger.ts'
import { benchMcp } from './mcp.ts'
import { benchModel } from './model.ts'
import { benchPages } from './pages/pages.ts'
import { benchProofs } from './proofs.ts'
import { benchScale } from './scale/scale.ts'
import { benchSearch } from './search/search.ts'
import { benchModeration } from './submit/moderation.ts'
import { benchStandby } from './submit/standby.ts'
import { benchSubmit } from './submit/submit.ts'
import { benchWebhooks } from './webhooks/webhooks.ts'

const benches: Record<string, { summary: string; run: (args: string[]) => Promise<void> }> = {
  apps: {
    summary: 'get_account calls a second with an access token, and renewals, compared with the same calls with a key',
    run: benchApps,
  },
  cards: {
    summary:
      'milliseconds of processor time, bytes and memory for a card of each kind and of difficult texts; --rounds N',
    run: benchCards,
  },
  ceiling: {
    summary: '2,000 requests a second against a limit of 100: accepted requests, and the effect on page readers',
    run: benchCeiling,
  },
  desk: {
    summary: 'a reviewer decides mixed cases in Chromium by keyboard; --cases N, DESK_SHOTS=folder saves screenshots',
    run: benchDesk,
  },
  flame: {
    summary: 'draws CPU profiles as a flame graph: flame <file.cpuprofile> … <image.svg> --title "…"',
    run: drawFlameGraph,
  },
  ledger: {
    summary: 'charges a second through the code, compared with pgbench running the same statements',
    run: benchLedger,
  },
  mcp: {
    summary: 'get_status and search_posts calls a second over MCP, compared with the same operations of the JSON API',
    run: benchMcp,
  },
  model: {
    summary: 'CPU time of the local model for a median post, a p95 post and the longest story',
    run: benchModel,
  },
  moderation: {
    summary:
      'posts a second through all stages with the local model, and the latency for callers; --rate N --seconds N',
    run: benchModeration,
  },
  pages: {
    summary: 'time from a decision to its page and feeds under load, with few and many posts stored; and a rebuild',
    run: benchPages,
  },
  processes: {
    summary:
      'CPU time until each process is ready, memory and CPU time of all without work; --starts N --settle N --seconds N',
    run: benchProcesses,
  },
  proofs: {
    summary:
      'what signing and logging a post costs: time compared with the bare signature, bytes in pages, files and rows',
    run: benchProofs,
  },
  scale: {
    summary:
      'submit, publish, browse, search, desk, delivery, rebuild and bytes per post at several sizes, in turns; --sizes N,N --keep',
    run: benchScale,
  },
  search: {
    summary:
      'searches of every class over seeded posts, through the gateway compared with the bare statement; --posts N --explain',
    run: benchSearch,
  },
  standby: {
    summary:
      'submissions a second with a synchronous standby at several delays: wake-ups after the commit, inside it, or none',
    run: benchStandby,
  },
  static: {
    summary: 'files a second through the gateway, compared with a bare nginx with the same files',
    run: benchStatic,
  },
  submit: {
    summary:
      'submissions a second over HTTP, compared with pgbench running the same transaction, with few and many posts stored',
    run: benchSubmit,
  },
  webhooks: {
    summary: 'signed and recorded deliveries a second, compared with a bare undici loop that posts the same bytes',
    run: benchWebhooks,
  },
}

const [name = '', ...args] = process.argv.slice(2)
const bench = benches[name]
if (bench && !args.includes('--help')) await bench.run(args)
else {
  console.log('Usage: npm run bench -- <name> [--seconds N] [--rounds N]\n')
  for (const [each, { summary }] of Object.entries(benches)) console.log(`  ${each.padEnd(10)} ${summary}`)
  if (!bench && name !== '--help') process.exitCode = 2
}
