import { benchDesk } from './desk/desk.ts'
import { benchCeiling } from './gateway/ceiling.ts'
import { benchStatic } from './gateway/static.ts'
import { benchLedger } from './ledger.ts'
import { benchMcp } from './mcp.ts'
import { benchModel } from './model.ts'
import { benchPages } from './pages/pages.ts'
import { benchSearch } from './search/search.ts'
import { benchModeration } from './submit/moderation.ts'
import { benchSubmit } from './submit/submit.ts'
import { benchWebhooks } from './webhooks/webhooks.ts'

const benches: Record<string, { summary: string; run: (args: string[]) => Promise<void> }> = {
  ceiling: {
    summary: '2,000 requests a second at a ceiling of 100, what passes it, and what readers of pages notice',
    run: benchCeiling,
  },
  desk: {
    summary: 'a person clears mixed cases in Chromium by keyboard alone; --cases N, DESK_SHOTS=folder keeps pictures',
    run: benchDesk,
  },
  ledger: {
    summary: 'charges a second through the code against pgbench running the same statements',
    run: benchLedger,
  },
  mcp: {
    summary: 'calls a second of get_status and search_posts by MCP against the same operations at the JSON door',
    run: benchMcp,
  },
  model: {
    summary: 'CPU time of the local model for a median post, the 95th of 100 and the longest story',
    run: benchModel,
  },
  moderation: {
    summary: 'posts a second through all stages with the local model, and what callers notice; --rate N --seconds N',
    run: benchModeration,
  },
  pages: {
    summary: 'from a decision to its page and feeds under load, with few and many posts in place; and a rebuild',
    run: benchPages,
  },
  search: {
    summary:
      'searches of every class over seeded posts, through the gateway against the bare statement; --posts N --explain',
    run: benchSearch,
  },
  static: {
    summary: 'files a second through the gateway against a bare nginx with the same files',
    run: benchStatic,
  },
  submit: {
    summary: 'submissions a second over HTTP against pgbench with the same transaction, with few and many posts stored',
    run: benchSubmit,
  },
  webhooks: {
    summary: 'deliveries a second, signed and recorded, against a bare undici loop that posts the same bytes',
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
