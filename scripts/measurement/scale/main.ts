import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoDir } from '../../../tooling/services/state.ts'
import type { ScaleResult } from '../bench/scale/results.ts'
import { compareWithModel, errorBar } from './check.ts'
import { scaleDocument } from './document.ts'
import { predict } from './model.ts'
import { table } from './report.ts'
import { inShort } from './words.ts'

const help = `Usage: npm run scale -- [--posts 10e6] [--agents 1e6] [--views 100e6]
       npm run scale -- --check FILE | --document

Calculates files, bytes, rows, memory, cores, reviewers and dollars from measured coefficients, and says what breaks first.

  --posts N      stored posts
  --agents N     accounts that call the API
  --views N      page views a day
  --check FILE   compare with a result of \`npm run bench -- scale\`: fits the smaller sizes and predicts the largest
  --document     write docs/scale.md`

const { values } = parseArgs({
  options: {
    posts: { type: 'string', default: '10e6' },
    agents: { type: 'string', default: '1e6' },
    views: { type: 'string', default: '100e6' },
    check: { type: 'string' },
    document: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(help)
else if (values.document) writeFileSync(join(repoDir, 'docs/scale.md'), scaleDocument())
else if (values.check) check(values.check)
else print()

function print(): void {
  const load = { posts: Number(values.posts), agents: Number(values.agents), views: Number(values.views) }
  if (Object.values(load).some((value) => !(value >= 0))) throw new Error(help)
  console.log(table([load]))
  console.log('\nLimits, the most exceeded first:')
  for (const { what, load: seen, limit, unit, remedy } of predict(load).limits)
    console.log(`- ${what}: ${inShort(seen)} of ${inShort(limit)} ${unit}. Remedy: ${remedy}.`)
}

function check(file: string): void {
  const compared = compareWithModel(JSON.parse(readFileSync(file, 'utf8')) as ScaleResult)
  console.log('| quantity | predicted | measured | error |\n|---|---|---|---|')
  for (const { what, predicted, measured, error } of compared)
    console.log(`| ${what} | ${inShort(predicted)} | ${inShort(measured)} | ${(error * 100).toFixed(1)} % |`)
  const missed = compared.filter(({ error }) => Math.abs(error) > errorBar)
  console.log(`\n${compared.length - missed.length} of ${compared.length} quantities are within ${errorBar * 100} %.`)
  if (missed.length > 0) process.exitCode = 1
}
