import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type DraftState, draftMoves } from '../../src/drafts/draft-states.ts'
import { submitDraft } from '../../src/drafts/submit-draft.ts'
import { enqueueDueDrafts, expireDrafts } from '../../src/drafts/sweep-drafts.ts'
import type { Transaction } from '../../src/platform/database/database.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { times } from '../../tooling/test-length.ts'
import {
  type Author,
  balanceOf,
  createAuthor,
  decide,
  draftEvents,
  submitDraftOf,
} from '../support/drafts/draft-fixture.ts'
import { submittingParts } from '../support/drafts/submitting.ts'
import { verifyTestLedger } from '../support/money/verify-ledger.ts'

const hour = 3_600_000
const price = 20_000

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

/** A transaction that is cut off before it commits, as when its worker is killed. */
class Killed extends Error {}

function killedParts() {
  const parts = submittingParts(service)
  const killedExecute = <Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
    parts.db.transaction().execute(async (tx) => {
      await work(tx)
      throw new Killed()
    })
  const db = new Proxy(parts.db, {
    get: (target, name) => {
      if (name === 'transaction') return () => ({ execute: killedExecute })
      const member = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  return { ...parts, db }
}

type World = { author: Author; ids: string[]; hours: number }
type Step = { name: string; pick: number }

const idOf = ({ ids }: World, pick: number) => ids[pick % Math.max(ids.length, 1)]
const inHours = (hours: number) => new Date(service.clock.now().getTime() + hours * hour)

/** Everything that can happen to drafts, by anyone. Each applies to any draft in any state. */
const steps: Record<string, (world: World, pick: number) => Promise<unknown>> = {
  'submit for approval': async (world) => world.ids.push((await submitDraftOf(world.author.waiting)).id),
  'submit for approval at a time': async (world, pick) =>
    world.ids.push((await submitDraftOf(world.author.waiting, { publishAt: inHours(1 + (pick % 40)) })).id),
  schedule: async (world, pick) =>
    world.ids.push((await submitDraftOf(world.author.client, { publishAt: inHours(1 + (pick % 40)) })).id),
  approve: (world, pick) =>
    decide(
      service,
      world.author.id,
      'approve',
      [idOf(world, pick)].flatMap((id) => id ?? []),
    ),
  'approve all': (world) => decide(service, world.author.id, 'approve', world.ids),
  decline: (world, pick) =>
    decide(
      service,
      world.author.id,
      'decline',
      [idOf(world, pick)].flatMap((id) => id ?? []),
    ),
  cancel: async (world, pick) => {
    const id = idOf(world, pick)
    if (id) await world.author.client.cancelDraft(id).catch(() => {})
  },
  'the clock moves': async (world, pick) => {
    world.hours += 1 + (pick % 60)
    service.clock.setOffset(world.hours * hour)
  },
  'the sweeps run': async () => {
    await expireDrafts(service.workerDb, service.clock.now())
    await enqueueDueDrafts(service.workerDb, service.clock.now())
  },
  'a worker submits': async (world, pick) => {
    const id = idOf(world, pick)
    if (id) await submitDraft(submittingParts(service), id)
  },
  'two workers submit everything': async (world) => {
    const twice = [...world.ids, ...world.ids]
    await Promise.all(twice.map((id) => submitDraft(submittingParts(service), id)))
  },
  'a worker is killed': async (world, pick) => {
    const id = idOf(world, pick)
    if (!id) return
    await submitDraft(killedParts(), id).catch((error) => assert.ok(error instanceof Killed, String(error)))
  },
}
const drawn = [...Object.keys(steps), 'a worker submits', 'approve', 'approve all', 'the clock moves']

type Row = { id: string; state: DraftState; post_id: string | null; content: unknown }
const readDrafts = ({ author }: World) =>
  service.asOwner<Row>('select id, state, post_id, content from drafts where account_id = $1', [author.id])

async function assertMoney(world: World, openingMicros: number): Promise<void> {
  const rows = await readDrafts(world)
  const submitted = rows.filter(({ state }) => state === 'submitted')
  const charges = await service.asOwner<{ subject: string }>(
    "select subject from ledger_transfers where account_id = $1 and reason = 'post' order by subject",
    [world.author.id],
  )
  assert.deepEqual(
    charges.map(({ subject }) => subject),
    submitted.map(({ post_id }) => post_id).toSorted(),
    'money moved for submitted drafts only, once for each',
  )
  assert.equal(await balanceOf(world.author), openingMicros - submitted.length * price)
  const posts = await service.asOwner<{ id: string }>('select id from posts where account_id = $1', [world.author.id])
  assert.equal(posts.length, submitted.length)
  for (const { state, content } of rows)
    assert.equal(content !== null, ['awaiting_approval', 'scheduled', 'failed'].includes(state), state)
  const announced = rows.filter(({ state }) => ['submitted', 'declined', 'failed', 'expired'].includes(state))
  const events = await draftEvents(world.author)
  assert.deepEqual(
    events.map(({ data }) => `${data.id} ${data.state}`).toSorted(),
    announced.map(({ id, state }) => `${id} ${state}`).toSorted(),
    'each end is announced once',
  )
}

test('random sequences of everything that can happen to drafts: money moves for submitted ones only, each once', async () => {
  const seen = new Set<string>()
  const sequence = fc.array(fc.record({ name: fc.constantFrom(...drawn), pick: fc.nat(200) }), {
    minLength: 5,
    maxLength: 25,
  })
  const property = async (sequenceOf: readonly Step[], drafts: number) => {
    const openingMicros = drafts * price + 1
    const world: World = { author: await createAuthor(service, openingMicros), ids: [], hours: 0 }
    service.clock.setOffset(0)
    let before = new Map<string, DraftState>()
    for (const { name, pick } of sequenceOf) {
      await steps[name]?.(world, pick)
      const after = new Map((await readDrafts(world)).map(({ id, state }) => [id, state]))
      for (const [id, state] of after) {
        const from = before.get(id)
        if (!from || from === state) continue
        assert.ok(draftMoves[from].includes(state), `${name}: ${from} → ${state}`)
        seen.add(`${from} → ${state}`)
      }
      before = after
    }
    await assertMoney(world, openingMicros)
  }
  const at = (name: string, pick = 0): Step => ({ name, pick })
  const everyMove: [Step[], number][] = [
    [[at('submit for approval'), at('approve'), at('a worker is killed'), at('a worker submits'), at('cancel')], 3],
    [[at('submit for approval'), at('approve'), at('a worker submits')], 0],
    [[at('submit for approval'), at('decline'), at('approve')], 3],
    [[at('submit for approval'), at('cancel'), at('approve')], 3],
    [[at('submit for approval'), ...Array(3).fill(at('the clock moves', 59)), at('the sweeps run'), at('approve')], 3],
    [[at('schedule'), at('decline'), at('schedule'), at('cancel', 1)], 3],
  ]
  await fc.assert(fc.asyncProperty(sequence, fc.nat(6), property), {
    numRuns: times({ whole: 150, short: 15 }),
    examples: everyMove,
  })
  service.clock.setOffset(0)
  const moves = Object.entries(draftMoves).flatMap(([from, all]) => all.map((to) => `${from} → ${to}`))
  assert.deepEqual(
    moves.filter((move) => !seen.has(move)),
    [],
    'every move of the table happened',
  )
  assert.deepEqual((await verifyTestLedger(service.database)).differences, [])
})
