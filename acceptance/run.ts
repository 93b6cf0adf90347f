/** Runs the checks: `npm run acceptance -- --help`. A failure never stops the run. */
import { parseArgs } from 'node:util'

import { type Check, Failure, Skip, sections, sharedFixtures } from './checks.ts'
import { quick } from './quick.ts'
import { decisionSeconds } from './targets.ts'

/** Checks that use up an allowance of the address come late, then the gateway's ceiling; those that move the clock come last; at
 * the end, what all of them left in metrics and logs. */
const names = [
  'accounts',
  'errors',
  'posts',
  'pricing-ledger',
  'idempotency',
  'dry-run',
  'moderation',
  'operator',
  'read',
  'static',
  'feeds',
  'links',
  'browser',
  'webhooks',
  'mcp',
  'owner',
  'keys',
  'apps',
  'relay',
  'drafts',
  'stream',
  'proofs',
  'clients',
  'commands',
  'search',
  'gateway',
  'clock',
  'end',
]

const usage = `npm run acceptance -- [section …] [--only=text] [--quick] [--list] [--verbose]

sections: ${names.join(' ')}`

/** Requests and waits have their own, shorter limits. */
const limitSeconds = Math.max(180, 3 * decisionSeconds)

async function outcomeOf({ run }: Check): Promise<{ outcome: 'ok' | 'FAIL' | 'skip'; message?: string }> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Failure(`no end within ${limitSeconds} s`)), limitSeconds * 1000)
  try {
    await Promise.race([run(), late.promise])
    return { outcome: 'ok' }
  } catch (error) {
    if (error instanceof Skip) return { outcome: 'skip', message: error.message }
    // A failure of the service is a sentence. Other errors are faults of the suite, shown with their place.
    const message = error instanceof Failure ? error.message : `unexpected ${(error as Error)?.stack ?? error}`
    return { outcome: 'FAIL', message }
  } finally {
    clearTimeout(timer)
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean' },
      list: { type: 'boolean' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0 || values.help) {
    console.log(unknown.length > 0 ? `unknown: ${unknown.join(', ')}\n${usage}` : usage)
    return values.help ? 0 : 2
  }
  for (const name of names.filter((name) => positionals.length === 0 || positionals.includes(name)))
    await import(`./sections/${name}.ts`)
  const ids = new Set(sections.flatMap(({ checks }) => checks.map(({ id }) => id)))
  const missing = [...quick].filter((id) => !ids.has(id))
  if (positionals.length === 0 && missing.length > 0) throw new Error(`quick.ts names no check: ${missing.join(' ')}`)
  const isWanted = ({ id }: Check) => (!values.only || id.includes(values.only)) && (!values.quick || quick.has(id))
  const isWhole = !values.only && !values.quick

  if (!values.list) for (const make of sharedFixtures) make().catch(() => {})
  const counts = { ok: 0, FAIL: 0, skip: 0 }
  for (const { fixtures, checks } of sections) {
    const wanted = checks.filter(isWanted)
    if (isWhole && !values.list) for (const make of fixtures) make().catch(() => {})
    for (const check of wanted) {
      const title = `${check.id}: ${check.clause}`
      if (values.list) {
        counts.skip++
        console.log(title)
        continue
      }
      const started = performance.now()
      const { outcome, message } = await outcomeOf(check)
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      counts[outcome]++
      if (outcome === 'FAIL' || values.verbose)
        console.log(`${outcome.padEnd(4)} ${seconds} s ${title}${message ? `: ${message}` : ''}`)
    }
  }
  if (values.list) console.log(`${counts.skip} checks`)
  else console.log(`${counts.ok} passed, ${counts.FAIL} failed${counts.skip > 0 ? `, ${counts.skip} skipped` : ''}`)
  return counts.FAIL > 0 ? 1 : 0
}

// A check that has given up must neither end the run nor keep it open.
process.on('unhandledRejection', () => {})
const code = await main()
// A pipe may still have lines to take.
process.stdout.write('', () => process.exit(code))
