import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decimal, flag, readOptions, runScript, text } from '../../../tooling/script-options.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import type { ScaleResult } from '../bench/scale/results.ts'
import { compareWithModel, errorBar } from './check.ts'
import { scaleDocument } from './document.ts'
import { predict } from './model.ts'
import { table } from './report.ts'
import { inShort } from './words.ts'

const details = `Calculates files, bytes, rows, memory, cores, reviewers and dollars from measured coefficients, and says what breaks first.

  --posts N      stored posts
  --agents N     accounts that call the API
  --views N      page views a day
  --check FILE   compare with a result of \`npm run bench -- scale\`: fits the smaller sizes and predicts the largest
  --document     write docs/scale.md`

await runScript({ command: 'npm run scale', details }, (args) => {
  const {
    check: file,
    document,
    ...load
  } = readOptions(args, {
    posts: decimal(10e6),
    agents: decimal(1e6),
    views: decimal(100e6),
    check: text('FILE'),
    document: flag,
  })
  if (document) writeFileSync(join(repoDir, 'docs/scale.md'), scaleDocument())
  else if (file) check(file)
  else print(load)
})

function print(load: { posts: number; agents: number; views: number }): void {
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
