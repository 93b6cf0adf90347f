import { assumptions, coefficients, tableCoefficients, tableMeasurement } from './coefficients.ts'
import type { Load } from './model.ts'
import { predict } from './model.ts'
import { prices } from './prices.ts'
import { table } from './report.ts'
import { inShort } from './words.ts'

const loads: readonly Load[] = [
  { posts: 1e6, agents: 1e4, views: 1e6 },
  { posts: 10e6, agents: 1e5, views: 10e6 },
  { posts: 100e6, agents: 1e6, views: 100e6 },
]

/** docs/scale.md. `npm run scale -- --document` writes it, and a test compares. */
export const scaleDocument = () => `# How far it goes

<!-- Written by \`npm run scale -- --document\`. Change scripts/measurement/scale/ instead. -->

This page calculates what the service needs as it grows. Every number is a coefficient times a load, and every coefficient
has the command that measured it. For another load, run:

\`\`\`
npm run scale -- --posts 10e6 --agents 1e6 --views 100e6
\`\`\`

## Three sizes

${table(loads)}

"Breaks first" is the limit that the load exceeds the most. "nothing" means that no limit is exceeded.

## What to do about each limit

${predict(loads[2] as Load)
  .limits.map(({ what, remedy }) => `- **${what}**: ${remedy}.`)
  .join('\n')}

## Search

A search goes one of two ways, and \`src/search/choose-way.ts\` takes the cheaper one. **By the index of words**, all matching
posts are found and the newest taken: the work grows with the number of matches. **From the newest post backwards** until enough
match: the work depends on the share that matches, not on the number of posts. Both cost the same where the share is about
√(wanted ÷ posts), and there a search is slowest: it reads √(wanted × posts) entries, which is 14,000 for a million posts and
45,000 for ten million. In one table the slowest class reaches 60 ms at about 1.4 million posts (a common word in a country).

What takes over, in this order: a read replica, which brings processors and memory
but does not make a single search faster; RUM, whose writes cost several times as much; a separate engine such as OpenSearch
when the posts no longer fit one machine. \`searchEntryOf\` makes what such an engine would be fed with, and \`src/search/\` is
the only folder that knows where a search is answered.

## Measured coefficients

| Coefficient | Value | Unit | Measured with | Date | Note |
|---|---|---|---|---|---|
${Object.entries(coefficients)
  .map(([name, one]) =>
    row([name, inShort(one.value), one.unit, `\`${one.command}\``, one.date, 'note' in one ? one.note : '']),
  )
  .join('\n')}

Each post adds to the tables (${tableMeasurement.note}; \`${tableMeasurement.command}\`, ${tableMeasurement.date}):

| Table | Rows | Bytes | Index bytes |
|---|---|---|---|
${Object.entries(tableCoefficients)
  .map(([name, values]) => row([name, ...values.map(String)]))
  .join('\n')}

The coefficients were measured at up to 300,000 posts on two cores that other work shared. \`npm run scale -- --check FILE\`
fits the two smaller sizes of a run of \`npm run bench -- scale\`, predicts the largest and prints the error of each quantity.

## Assumptions

| Assumption | Value | Why |
|---|---|---|
${Object.entries(assumptions)
  .map(([name, { value, why }]) => row([name, inShort(value), why]))
  .join('\n')}

## Prices

List prices in dollars, ${prices.date}, without free tiers and discounts. Check them before you decide by them.

| What | Storage, GB and month | A million writes | A million reads | Source | Looked up |
|---|---|---|---|---|---|
${prices.objectStores
  .map((store) =>
    row([
      ...[store.name, String(store.perGbMonth), String(store.perMillionWrites), String(store.perMillionReads)],
      ...[store.source, store.checked],
    ]),
  )
  .join('\n')}

| What | Dollars | Looked up |
|---|---|---|
${[prices.cdnPerGb, prices.corePerMonth, prices.databaseGbPerMonth]
  .map(({ what, value, checked }) => row([what, String(value), checked]))
  .join('\n')}

People are counted, not priced.
`

const row = (cells: readonly (string | undefined)[]) => `| ${cells.map((cell) => cell ?? '').join(' | ')} |`
