import { randomInt } from 'node:crypto'
import { readOptions, runNamed, wholeNumber } from '../../../tooling/script-options.ts'

type Numbers = Record<string, number>
type Scenario<Options extends Numbers> = {
  summary: string
  /** What `--help` adds to the summary. */
  details?: string
  /** Options with their defaults. */
  options: Options
  load: () => Promise<(options: Options) => Promise<{ broken: readonly string[] }>>
}

const scenario = <Options extends Numbers>(one: Scenario<Options>) => one as unknown as Scenario<Numbers>

const scenarios: Record<string, Scenario<Numbers>> = {
  posts: scenario({
    summary: 'kills API and worker processes while posts are submitted: nothing is lost or done twice',
    options: { submissions: 2_000, kills: 200, clients: 16 },
    load: async () => (await import('./posts.ts')).killProcesses,
  }),
  idempotency: scenario({
    summary: 'sends copies of one submission to two processes at the same time: one post, one charge, one response',
    options: { rounds: 100, copies: 20 },
    load: async () => (await import('./idempotency.ts')).sendCopies,
  }),
  model: scenario({
    summary:
      'kills, hangs and disconnects the model and lets it return nonsense: every post is decided once and correctly',
    options: { posts: 200 },
    load: async () => (await import('./model/model.ts')).breakModel,
  }),
  estimates: scenario({
    summary: 'checks the estimates of when posts are decided: nine of ten are right within a factor of two',
    options: { posts: 500 },
    load: async () => (await import('./estimates.ts')).keepEstimates,
  }),
  fairness: scenario({
    summary: 'queues the longest stories from one account: other accounts are not delayed, and the model keeps running',
    options: { stories: 16 },
    load: async () => (await import('./fairness.ts')).floodWithStories,
  }),
  payments: scenario({
    summary: 'kills API, owner page and worker during top-ups and withdrawals: no cent is lost or counted twice',
    options: { runs: 200, owners: 4, seed: randomInt(1, 1_000_000) },
    load: async () => (await import('./payments/payments.ts')).topUpWhileKilling,
  }),
  apps: scenario({
    summary: 'kills the owner page while owners connect apps: no code or token works twice, no app without consent',
    options: { flows: 200, owners: 6, seed: randomInt(1, 1_000_000) },
    load: async () => (await import('./apps.ts')).connectWhileKilling,
  }),
  clients: scenario({
    summary: 'drops, delays, duplicates and cuts requests of both clients: each publish gives one post and one charge',
    options: { posts: 1_000, percent: 30, seed: randomInt(1, 1_000_000) },
    load: async () => (await import('./clients/clients.ts')).publishThroughFaults,
  }),
  desk: scenario({
    summary:
      'kills a browser, the desk and the worker while four reviewers decide cases: each decision is applied exactly once',
    options: { cases: 200, seed: randomInt(1, 1_000_000) },
    load: async () => (await import('./desk/desk.ts')).decideWhileKilling,
  }),
  webhooks: scenario({
    summary: 'kills workers while some endpoints fail: healthy endpoints get every event without much delay',
    // Failing endpoints double the number of attempts. A higher rate would saturate two cores.
    options: { events: 10_000, rate: 80, workers: 3, 'kill-seconds': 5 },
    load: async () => (options) => import('./webhooks/webhooks.ts').then(({ spreadEvents }) => spreadEvents(options)),
  }),
  stream: scenario({
    summary:
      'kills and stops API processes and crashes PostgreSQL while readers follow the stream: no gap, no repetition',
    options: { readers: 2_000, rate: 20, seconds: 300, kills: 2, pauses: 1, restarts: 1 },
    load: async () => (await import('./stream/stream.ts')).followWhileKilling,
  }),
  pauses: scenario({
    summary: 'stops processes for up to 40 seconds while posts are withdrawn: none comes back, none is lost or doubled',
    options: { pauses: 200, longest: 40, seconds: 1_200, rate: 10 },
    load: async () => (await import('./publishing/pauses.ts')).pauseProcesses,
  }),
  'pauses-s3': scenario({
    summary: 'the same as pauses, with the pages in a bucket of a real S3 server',
    options: { pauses: 200, longest: 40, seconds: 1_200, rate: 10 },
    load: async () => (await import('./publishing/pauses.ts')).pauseProcessesWithBucket,
  }),
  network: scenario({
    summary:
      'cuts and slows the ways to PostgreSQL while posts are withdrawn: none comes back, none is lost or doubled',
    options: { partitions: 50, slow: 50, longest: 40, seconds: 1_200, rate: 10 },
    load: async () => (await import('./publishing/network.ts')).cutNetwork,
  }),
  disk: scenario({
    summary: 'fills the disk of the pages and takes its power away: no page is lost, empty or wrong afterwards',
    options: { fillings: 20, losses: 20, seconds: 1_200, rate: 10 },
    load: async () => (await import('./publishing/disk.ts')).failDisk,
  }),
  log: scenario({
    summary: 'kills workers and takes the power of their disk away while the transparency log grows: no fork, no gap',
    options: { appends: 10_000, kills: 60, losses: 6, seconds: 300, rate: 5 },
    load: async () => (await import('./log/log.ts')).breakLog,
  }),
  flood: scenario({
    summary: 'floods the gateway with connections from one address: others read and publish as before',
    options: { connections: 4_000, seconds: 300, rate: 10 },
    load: async () => (await import('./publishing/flood.ts')).floodGateway,
  }),
  primary: scenario({
    summary:
      'kills, pauses and cuts off the primary of three PostgreSQL nodes: nothing acknowledged is lost, reads go on',
    details: `
Starts three hosts (network namespaces) with etcd, Patroni and PostgreSQL, configured by deploy/patroni, HAProxy, and the
whole service. Each fault waits until all nodes are back after the one before. Needs root, and installs patroni, etcd and
haproxy with apt-get if they are missing.

  --kills, --pauses, --partitions   how often the primary is killed, paused and cut off
  --rate                            submissions per second
  --seconds                         how long each fault lasts; the node returns afterwards
  --appends                         entries of the transparency log, beside those of the posts

A fault takes about 45 seconds with the defaults. The result has the longest time without an acknowledged write for each
fault, and its median and worst by kind. On a machine without free processor time, nodes may lose the lock by themselves.`,
    options: { kills: 10, pauses: 10, partitions: 10, rate: 20, seconds: 25, appends: 10_000 },
    load: async () => (await import('./primary/primary.ts')).losePrimary,
  }),
  hosts: scenario({
    summary:
      'kills, cuts off and pauses one of two hosts with one object store: readers of the other one see no failure',
    details: `
Starts two hosts (network namespaces), each with a gateway, an API process and a worker, and PostgreSQL, an S3 server and a
stub of the model beside them. Needs root.

  --seconds   how long posts are submitted and hosts disturbed
  --rate      submissions per second; one post in ten is deleted
  --longest   the longest fault in seconds; the host is ready a few seconds after its end`,
    options: { seconds: 900, rate: 20, longest: 20 },
    load: async () => (await import('./hosts/hosts.ts')).loseHosts,
  }),
}

/** A scenario reads numbers only, prints one line of JSON, and fails if a guarantee is broken. */
const inTable = ([name, { summary, details, options, load }]: [string, Scenario<Numbers>]) => {
  const run = async (args: string[]) => {
    const numbers = Object.entries(options).map(([flag, preset]) => [flag, wholeNumber(preset, { max: 1_000_000 })])
    const given = readOptions(args, Object.fromEntries(numbers) as Record<string, ReturnType<typeof wholeNumber>>)
    const { broken, ...figures } = await (await load())(given)
    console.log(JSON.stringify({ chaos: name, ...figures, broken }))
    if (broken.length > 0) process.exitCode = 1
  }
  return [name, { summary, ...(details && { details }), load: async () => run }] as const
}

const details = 'Each run starts its own service, prints one line of JSON, and exits with 1 if a guarantee is broken.'
export const chaosRuns = Object.fromEntries(Object.entries(scenarios).map(inTable))

if (import.meta.main) await runNamed({ command: 'npm run chaos', what: 'name', details }, chaosRuns)
