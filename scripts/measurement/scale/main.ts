import { decimal, readOptions, runScript } from '../../../tooling/script-options.ts'
import { inShort, limitsOf, table } from './scale.ts'

const details = `Calculates files, bytes, rows, memory, cores, reviewers and dollars from the figures of
scripts/measurement/scale/coefficients.ts, and says which limit comes first.

  --posts N    stored posts
  --agents N   accounts that call the API
  --views N    page views a day`

await runScript({ command: 'npm run scale', details }, (args) => {
  const load = readOptions(args, { posts: decimal(10e6), agents: decimal(1e6), views: decimal(100e6) })
  console.log(table([load]))
  console.log('\nLimits, the most exceeded first:')
  for (const { what, seen, limit, remedy } of limitsOf(load))
    console.log(`- ${what}: ${inShort(seen)} of ${inShort(limit)}. Remedy: ${remedy}.`)
})
