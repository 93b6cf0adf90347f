// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PoolClient } from 'pg'
import { type Connection, connect } from '../../src/platform/database/database.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { runInParts, times } from '../../tooling/test-length.ts'
import { assertLedger, countDone, openAccounts, play, sequence } from '../support/money/ledger-model.ts'
import { verifyTestLedger } from '../support/money/verify-ledger.ts'

/** Sequences of a handful of steps; every copy of a step is a separate caller. */
const numRuns = times({ whole: 8_000, short: 400 })
/** Fewer, because each costs twice as much: every cut connection has to be opened again. */
const numCutRuns = times({ whole: 4_000, short: 200 })

test(`Invariant 1: through up to ${numRuns} random sequences over 16 connections balances agree, none is negative, nothing is applied twice`, async (context) => {
  await using database = await migratedDatabase('ledger')
  await using connection = connect(database.urls.migrator, { poolMax: 16, applicationName: 'ledger test' })
  const done = new Map<string, number>()
  const runs = await playAll(numRuns, playedIn(connection, connection, done))
  context.diagnostic(`${runs} sequences`)
  await assertWholeLedger(database, runs)
  for (const act of ['charge', 'refund', 'penalty', 'credit', 'debit'])
    assert.ok(Number(done.get(act)) > runs / 20, `of ${act} only ${done.get(act)} were done`)
})

test(`Invariant 2: the same through up to ${numCutRuns} sequences while connections are cut at random points`, async (context) => {
  await using database = await migratedDatabase('ledger')
  await using connection = connect(database.urls.migrator, {
    poolMax: 16,
    applicationName: 'ledger test',
    onError: () => {},
  })
  await using quiet = connect(database.urls.migrator, { poolMax: 2, applicationName: 'ledger check' })
  const cuts = startCutting(connection, quiet)
  let runs = 0
  try {
    runs = await playAll(numCutRuns, playedIn(connection, quiet))
  } finally {
    await cuts.stop()
  }
  assert.ok(cuts.count() > runs / 10, `only ${cuts.count()} connections were cut`)
  context.diagnostic(`${cuts.count()} connections cut, by either end, during ${runs} sequences`)
  await assertWholeLedger(database, runs)
})

/** Several at a time, because each mostly waits for the disk; each has its own accounts. Returns the number of runs. */
const atATime = 4
async function playAll(runs: number, property: fc.IAsyncProperty<unknown>): Promise<number> {
  const play = () => runInParts(runs / atATime, 25, (numRuns) => fc.assert(property, { numRuns }))
  const counts = await Promise.all(Array.from({ length: atATime }, play))
  return counts.reduce((sum, count) => sum + count, 0)
}

const playedIn = (played: Connection, checked: Connection, done = new Map<string, number>()) =>
  fc.asyncProperty(sequence, async (steps) => {
    const accounts = await openAccounts(checked.db, { prepaidMicros: 100 })
    const outcomes = await play(played.db, accounts, steps)
    countDone(outcomes, done)
    await assertLedger(checked.db, accounts, outcomes)
  })

async function assertWholeLedger(database: OwnDatabase, runs: number) {
  const verification = await verifyTestLedger(database)
  assert.equal(verification.sum_micros, '0')
  assert.equal(verification.difference_count, 0)
  assert.ok(verification.transfers > runs)
}

/**
 * Breaks about one in ten used connections, alternately at the client's socket and the server's process, a moment
 * later, so that it can hit any point of its work. By use and not by time: a slow machine would only reconnect.
 */
function startCutting({ pool }: Connection, { pool: quiet }: Connection) {
  const clients = new Set<PoolClient>()
  pool.on('connect', (client) => {
    clients.add(client)
    client.on('error', () => clients.delete(client))
  })
  pool.on('remove', (client) => clients.delete(client as PoolClient))
  const cuts: unknown[] = []
  let stopped = false
  const cutServer = () =>
    quiet.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'ledger test' order by random() limit 1`)
  const cutClient = () => {
    const chosen = [...clients][Math.floor(Math.random() * clients.size)] as unknown as {
      connection: { stream: { destroy(): void } }
    }
    chosen?.connection.stream.destroy()
  }
  const cutSoon = async (turn: number) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 10))
    await (turn % 2 === 0 ? cutServer() : cutClient())
  }
  pool.on('acquire', () => {
    if (!stopped && Math.random() < 0.1) cuts.push(cutSoon(cuts.length))
  })
  return {
    count: () => cuts.length,
    stop: async () => {
      stopped = true
      await Promise.all(cuts)
    },
  }
}
