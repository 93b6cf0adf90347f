// Runs alone: benches start processes and fill databases.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { benches } from './main.ts'

/** The shortest run of each. */
const options: Record<keyof typeof benches, string> = {
  decisions: '--seconds 2 --rate 2',
  ledger: '--seconds 1 --rounds 1',
  lists: '--posts 2000 --rounds 1',
  mcp: '--posts 2000 --seconds 0.5 --rounds 1',
  pages: '--posts 2000 --seconds 2 --rate 2',
  rebuild: '--posts 1000',
  search: '--posts 2000 --rounds 1',
  start: '--rounds 1 --idle 1',
  submit: '--posts 2000 --seconds 1 --rounds 1',
  webhooks: '--deliveries 200 --rounds 1',
}

for (const [name, { load }] of Object.entries(benches))
  test(`the bench ${name} measures something`, async (t) => {
    const tables = t.mock.method(console, 'table', () => {})
    const bench = await load()
    await bench(options[name as keyof typeof benches].split(' '))
    assert.ok(tables.mock.callCount() > 0)
    for (const {
      arguments: [rows],
    } of tables.mock.calls)
      for (const row of Object.values(rows as Record<string, Record<string, number>>))
        for (const [column, value] of Object.entries(row)) assert.ok(Number.isFinite(value), `${column}: ${value}`)
  })
