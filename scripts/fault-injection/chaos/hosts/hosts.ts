import { mkdtempDisposableSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { CommandError } from '../../../../src/bin/command.ts'
import { showProgress } from '../../../../src/bin/progress.ts'
import { credit } from '../../../../src/ledger/deposits.ts'
import { connect, inTransaction } from '../../../../src/platform/database/database.ts'
import { openApiClient } from '../../../../tooling/clients/api-client.ts'
import { runOperator } from '../../../../tooling/environment/processes.ts'
import { isOwnMachine, runAsOwnMachine } from '../../../../tooling/network/namespace.ts'
import { isRoot } from '../../../../tooling/services/state.ts'
import { toSeconds } from '../outcomes.ts'
import { makeText } from '../traffic.ts'
import { priceMicros } from '../verify-posts.ts'
import { type Deployment, messagesUrl, openDeployment } from './deployment.ts'
import { disturbHosts } from './faults.ts'
import { watchPosts } from './watch-posts.ts'
import { watchReaders } from './watch-readers.ts'

type Options = { seconds: number; rate: number; longest: number }

const program = fileURLToPath(new URL('../main.ts', import.meta.url))

/**
 * Publishes and deletes posts on two hosts with one database and one object store, while one host at a time is killed,
 * cut off or paused.
 */
export async function loseHosts(options: Options) {
  if (!isOwnMachine()) {
    if (!isRoot) throw new CommandError('This run creates network namespaces: run it as root.')
    using state = mkdtempDisposableSync(join(tmpdir(), 'broadside-hosts-state-'))
    await chmod(state.path, 0o755)
    const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
    // The machine has a PostgreSQL of its own: one that runs outside is not visible there.
    const own = { BROADSIDE_STATE_DIR: state.path }
    return JSON.parse(await runAsOwnMachine(program, ['hosts', ...flags], own)) as { broken: string[] }
  }
  const startedAt = performance.now()
  console.error('Starting PostgreSQL, the object store and two hosts …')
  await using deployment = await openDeployment()
  const clients = await openClients(deployment, options.seconds * options.rate)
  const end = new AbortController()
  const disturbed = await disturbHosts(deployment.hosts, { ...options, signal: end.signal })
  await using posts = watchPosts(deployment, disturbed)
  await using readers = watchReaders(deployment, disturbed)
  const submitted = await submitAll(clients, { ...options, onWithdrawn: posts.noteWithdrawn })
  end.abort()
  await disturbed.running
  await posts.untilChecked()
  const ledger = await runOperator(deployment.settings, 'ledger', 'verify')
  const [counted] = await deployment.query<{ posts: number; published: number; charges: number }>(
    `select (select count(*) from posts) as posts, (select count(*) from posts where published_at is not null) as published,
      (select count(*) from ledger_transfers where reason = 'post') as charges`,
  )
  const broken = [
    ...(submitted.acknowledged === Number(counted?.posts) && counted?.posts === counted?.charges
      ? []
      : [`${submitted.acknowledged} acknowledged posts, ${counted?.posts} stored, ${counted?.charges} charged`]),
    ...(ledger.code === 0 ? [] : [`ledger verify failed: ${ledger.stderr.trim()}`]),
    ...submitted.refused.slice(0, 5),
    ...disturbed.lost,
    ...readers.faults(),
    ...posts.faults(),
  ]
  const count = (what: string) => disturbed.disturbances.filter((one) => one.what === what).length
  return {
    ...{ posts: submitted.acknowledged, published: Number(counted?.published), deleted: submitted.deleted },
    faults: { killed: count('killed'), cut: count('cut off') + count('unable to send'), paused: count('paused') },
    ...readers.figures(),
    ...posts.figures(),
    seconds: toSeconds(performance.now() - startedAt),
    ...deployment.logsIf(broken.length > 0),
    broken,
  }
}

type Clients = Awaited<ReturnType<typeof openClients>>

const accountCount = 20

/** Authors whose every attempt goes to the other host. */
async function openClients({ hosts, database }: Deployment, posts: number) {
  await using operator = connect(database.urls.operator, { poolMax: 1, applicationName: 'chaos operator' })
  let attempts = 0
  const reach: typeof fetch = (url, request) => {
    const host = hosts[attempts++ % hosts.length]
    if (!host) throw new Error('there is no host')
    return host.reach(url, request)
  }
  const settings = { baseUrl: messagesUrl, maxRetries: 60, timeoutMs: 5_000, fetch: reach }
  const clients = []
  for (let number = 1; number <= accountCount; number++) {
    const { body } = await openApiClient(settings).createAccount({
      ...{ name: `Harbour Notices ${number}`, email: `owner${number}@example.com`, accept_terms: true },
    })
    const amountMicros = posts * priceMicros
    await inTransaction(operator.db, (tx) =>
      credit(tx, { accountId: body.id, amountMicros, subject: `chaos:${body.id}`, at: new Date() }),
    )
    clients.push(openApiClient({ ...settings, apiKey: body.api_key }))
  }
  return clients
}

type Submitting = Pick<Options, 'seconds' | 'rate'> & { onWithdrawn: (id: string) => void }

/** One post in ten is deleted some seconds after it was acknowledged. */
async function submitAll(clients: Clients, { seconds, rate, onWithdrawn }: Submitting) {
  const done = { acknowledged: 0, deleted: 0, refused: [] as string[] }
  const running = new Set<Promise<void>>()
  const show = showProgress('posts submitted:')
  const startedAt = performance.now()
  const submit = async (number: number) => {
    const client = clients[number % clients.length]
    const idempotencyKey = `chaos-${crypto.randomUUID()}`
    const response = await client?.submitPost({ text: makeText(number) }, {}, { idempotencyKey })
    if (!response || !('id' in response.body)) throw new Error('the response is not a status record')
    done.acknowledged++
    if (number % 10 !== 3) return
    await sleep(2_000 + (number % 7) * 1_000)
    await client?.deletePost(response.body.id)
    onWithdrawn(response.body.id)
    done.deleted++
  }
  for (let number = 1; number <= seconds * rate; number++) {
    await sleep(Math.max(0, startedAt + (number * 1_000) / rate - performance.now()))
    const work: Promise<void> = submit(number)
      .catch((error) => void done.refused.push(String(error)))
      .finally(() => running.delete(work))
    running.add(work)
    show(number, seconds * rate)
  }
  while (running.size > 0) await Promise.all(running)
  return done
}
