// Runs alone: it takes ten minutes.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { isRoot } from '../../../tooling/services/state.ts'
import { times } from '../../../tooling/test-length.ts'
import { connectWhileKilling } from './apps.ts'
import { publishThroughFaults } from './clients/clients.ts'
import { floodWithStories } from './fairness.ts'
import { loseHosts } from './hosts/hosts.ts'
import { sendCopies } from './idempotency.ts'
import { breakLog } from './log/log.ts'
import { breakModel } from './model/model.ts'
import { topUpWhileKilling } from './payments/payments.ts'
import { failDisk } from './publishing/disk.ts'
import { floodGateway } from './publishing/flood.ts'
import { cutNetwork } from './publishing/network.ts'
import { pauseProcesses, pauseProcessesWithBucket } from './publishing/pauses.ts'
import { followWhileKilling } from './stream/stream.ts'
import { spreadEvents } from './webhooks/webhooks.ts'

// Shorter forms of `npm run chaos`, which checks the same with thousands of posts and hundreds of kills. posts.test.ts
// kills processes with every change.

test('copies of a submission that reach two processes at the same time give one post, one charge and one response', async () => {
  const { broken, answered_by_each_process, ...figures } = await sendCopies({ rounds: 5, copies: 20 })
  assert.deepEqual(broken, [], JSON.stringify(figures))
  assert.ok(Math.min(...answered_by_each_process) > 0, 'both processes took part')
})

test('when a proxy drops, delays, duplicates and cuts requests, each publish of both clients gives one post and one charge', async () => {
  const size = { posts: times({ whole: 200, short: 40 }), percent: 30, seed: 1 }
  const { broken, ...figures } = await publishThroughFaults(size)
  assert.deepEqual(broken, [], JSON.stringify(figures))
})

test('a model that is killed during its work comes back, and every post is decided once', async () => {
  const { broken, faults } = await breakModel({ posts: times({ whole: 40, short: 20 }), only: ['killed'] })
  assert.deepEqual(broken, [], JSON.stringify(faults))
  assert.equal(faults[0]?.brought_back_by, 'the controller')
})

test('when one account queues the longest stories, other accounts are not delayed and the model keeps running', async () => {
  const { broken, ...figures } = await floodWithStories({ stories: times({ whole: 16, short: 6 }) })
  assert.deepEqual(broken, [], JSON.stringify(figures))
})

test('while workers are killed and endpoints hang, fail and reset, the healthy endpoints get every event', async () => {
  const size = { events: 60, rate: 40, workers: 2, 'kill-seconds': 1 }
  const { broken, ...figures } = await spreadEvents(size, ['with'])
  assert.deepEqual(broken, [], JSON.stringify(figures))
  assert.equal(figures.with?.deliveries, 210)
  assert.ok(Number(figures.with?.kills) >= 1)
})

test('while processes are killed during top-ups and withdrawals, no cent is lost or counted twice', async () => {
  // Among five owners, one payment is never reported by a webhook, and one owner is recharged.
  const { broken, payments, kills, ...figures } = await topUpWhileKilling({ runs: 5, owners: 5, seed: 4 })
  assert.deepEqual(broken, [], JSON.stringify(figures))
  assert.deepEqual([payments, figures.told.never], [5 + figures.recharges, 1])
  assert.ok(figures.recharges > 0)
  assert.deepEqual(Object.keys(kills).sort(), ['api', 'owner-page', 'worker'])
})

test('while the owner page is killed, no code or token works twice, and no app is connected without consent', async () => {
  const { broken, ...figures } = await connectWhileKilling({
    flows: times({ whole: 60, short: 20 }),
    owners: 5,
    seed: 7,
  })
  assert.deepEqual(broken, [], JSON.stringify(figures))
  assert.ok(figures.kills > 0 && figures.connected > 0, JSON.stringify(figures))
})

test('while API processes are killed and stopped and the database is away, readers of the stream miss nothing', async () => {
  const faults = { kills: 2, pauses: 1, restarts: 0, outages: 1 }
  const { broken, ...figures } = await followWhileKilling({ readers: 100, rate: 10, seconds: 20, ...faults })
  assert.deepEqual(broken, [], JSON.stringify(figures))
  assert.equal(figures.faults.length, 4)
})

const needsRoot = isRoot ? false : 'Network namespaces need root.'
const needsLoopDevices =
  isRoot && existsSync('/dev/loop-control') ? false : 'Disks in a file need root and loop devices.'
const withdrawing = { longest: times({ whole: 30, short: 8 }), seconds: times({ whole: 60, short: 10 }), rate: 3 }

test('while processes are stopped and continue, no post is lost or doubled and no withdrawn post comes back', async () => {
  const { broken, ...figures } = await pauseProcesses({ ...withdrawing, pauses: times({ whole: 20, short: 3 }) })
  assert.deepEqual(broken, [], JSON.stringify(figures))
})

test('while workers are killed and their disk loses power, the transparency log has no fork and no gap', {
  skip: needsLoopDevices,
}, async () => {
  const size = { appends: 400, kills: 4, losses: 1, seconds: times({ whole: 60, short: 12 }), rate: 3 }
  const { broken, ...figures } = await breakLog(size)
  assert.deepEqual(broken, [], JSON.stringify(figures))
  assert.ok(figures.log_size >= size.appends, JSON.stringify(figures))
})

test('the same holds when the pages are in a bucket', async () => {
  const size = { ...withdrawing, pauses: times({ whole: 20, short: 3 }) }
  const { broken, ...figures } = await pauseProcessesWithBucket(size)
  assert.deepEqual(broken, [], JSON.stringify(figures))
})

test('while one of two hosts is killed or cut off, no post is lost or doubled, and readers of the other see no failure', {
  skip: needsRoot,
}, async () => {
  const size = { seconds: times({ whole: 90, short: 15 }), rate: 3, longest: times({ whole: 15, short: 6 }) }
  const { broken, ...figures } = await loseHosts(size)
  // How soon a post is readable or gone (within 30 s), and whether a read ends in time, depends on the machine, which may
  // be busy.
  assert.deepEqual(
    broken.filter(
      (fault) => !/readable on .* (only after|after 40 s|[12]?\d{4} ms after its withdrawal)|: none /.test(fault),
    ),
    [],
    JSON.stringify(figures),
  )
})

test('while the network to PostgreSQL is cut and slow, no post is lost or doubled and no withdrawn post comes back', {
  skip: needsRoot,
}, async () => {
  const faults = { partitions: times({ whole: 10, short: 2 }), slow: times({ whole: 10, short: 2 }) }
  const { broken, ...figures } = await cutNetwork({ ...withdrawing, ...faults })
  assert.deepEqual(broken, [], JSON.stringify(figures))
})

test('after a full disk and a power loss, every page is complete', { skip: needsLoopDevices }, async () => {
  const { broken, fillings, losses, ...figures } = await failDisk({ ...withdrawing, fillings: 1, losses: 1 })
  assert.deepEqual(broken, [], JSON.stringify(figures))
  assert.deepEqual([fillings, losses], [1, 1])
})

test('while one address floods the gateway with connections, others read and publish as before', async () => {
  const { seconds, rate } = withdrawing
  const { broken, ...figures } = await floodGateway({ connections: times({ whole: 4_000, short: 600 }), seconds, rate })
  assert.deepEqual(broken, [], JSON.stringify(figures))
})
