import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../../../../src/bin/progress.ts'
import { runOperator } from '../../../../tooling/environment/processes.ts'
import { patienceMs } from '../../../../tooling/services/state.ts'
import { type Environment, type EnvironmentOptions, openEnvironment } from '../environment.ts'
import { checkLog, watchLog } from '../log/watch-log.ts'
import { toSeconds } from '../outcomes.ts'
import { type JournalEntry, openAuthors } from './authors.ts'
import { checkFromOutside } from './outside-checker.ts'
import { watchWithdrawn } from './watch-withdrawn.ts'

export type Run = {
  posts: number
  rate: number
  /**
   * The disturbance ends when all posts are sent; or the submissions when the disturbance has ended; or each when it is
   * complete.
   */
  endsWith?: 'posts' | 'disturbance' | 'both'
  /** Each removal needs an account of its own, created before the run. One post in ten by default. */
  mostRemovals?: number
}

/** Disturbs the environment until the signal, and returns its figures. */
export type Disturb<Figures> = (
  environment: Environment,
  signal: AbortSignal,
  journal: readonly JournalEntry[],
) => Promise<Figures>

/** `denied`: what the disturbance must not have caused, but did. */
type Denied = { denied?: readonly string[] }

/**
 * Lets authors submit, edit and delete posts, and an operator remove some, while `disturb` runs. Afterwards everything
 * that readers can see must agree with what the authors were told.
 */
export async function publishWhile<Figures extends object>(
  { posts: mostPosts, rate, endsWith = 'posts', mostRemovals }: Run,
  disturb: Disturb<Figures>,
  options: Partial<EnvironmentOptions> = {},
) {
  const startedAt = performance.now()
  await using environment = await openEnvironment({ driver: 'always-on', workers: 2, ...options })
  await environment.startWorkers()
  await using authors = await openAuthors(environment, mostPosts, mostRemovals)
  await using withdrawn = watchWithdrawn(environment.baseUrl, authors.journal)
  await using log = watchLog(environment.baseUrl)
  const end = new AbortController()
  const over = new AbortController()
  const disturbing = disturb(environment, end.signal, authors.journal)
  disturbing.then(
    () => endsWith === 'disturbance' && over.abort(),
    () => over.abort(),
  )
  const show = endsWith !== 'disturbance' ? showProgress('posts submitted:') : () => {}
  const posts = await authors.submitAll(rate, (sent) => show(sent, mostPosts), over.signal)
  if (endsWith !== 'both') end.abort()
  const figures: Figures & Denied = await disturbing
  await environment.untilAllUp()
  // Before posts are moderated, which can take longer than the disturbance: 20 a second are more than a small machine
  // can moderate beside three database servers.
  const lost = await countLost(environment, authors.journal)
  console.error(`${authors.journal.length.toLocaleString('en')} posts acknowledged, ${lost} of them lost.`)
  await authors.untilAnswered()
  const settledFrom = performance.now()
  const broken: string[] = [
    ...(lost > 0 ? [`${lost} acknowledged posts are lost`] : []),
    ...(figures.denied ?? []),
    ...authors.refused.slice(0, 5),
    ...environment.deaths(),
  ]
  if (!(await untilPagesSettled(environment))) broken.push('jobs are still waiting long after the last disturbance')
  const settleSeconds = toSeconds(performance.now() - settledFrom)
  const faults = await checkFromOutside(environment, authors.journal)
  const { log_faults, ...logged } = await checkLog(environment, await log.end())
  const ledger = await runOperator(environment.settings, 'ledger', 'verify')
  if (ledger.code !== 0) broken.push(`ledger verify failed: ${ledger.stderr.trim()}`)
  broken.push(...(await checkCharges(environment, posts)), ...faults.slice(0, 20), ...withdrawn.faults(), ...log_faults)
  return {
    posts,
    acknowledged: authors.journal.length,
    lost,
    given_up: authors.refused.length,
    deleted: authors.journal.filter(({ plan }) => plan === 'delete').length,
    removed: authors.journal.filter(({ plan }) => plan === 'remove').length,
    edited: authors.journal.filter(({ earlierTexts }) => earlierTexts.length > 0).length,
    readable_60_s_after_withdrawal: withdrawn.readable().length,
    longest_seconds_readable: toSeconds(withdrawn.longestMs()),
    faults: faults.length,
    ...logged,
    ...figures,
    seconds_to_settle: settleSeconds,
    seconds: toSeconds(performance.now() - startedAt),
    ...environment.logsIf(broken.length > 0),
    broken,
  }
}

const queues = ['screen-post', 'moderate-post', 'moderate-long-post', 'publish-post', 'list-post', 'build-page']

/**
 * Waits until no post is queued and no page is waiting to be written. A slow machine may take as long as it makes
 * progress; it fails if the number does not fall for a long time.
 */
async function untilPagesSettled({ query }: Environment): Promise<boolean> {
  const show = showProgress('settled:')
  let first: number | undefined
  let least = Number.POSITIVE_INFINITY
  let deadline = 0
  do {
    const [row] = await query<{ left: number }>(
      `select (select count(*) from posts where status = 'queued')
        + (select count(*) from post_edits where status = 'queued')
        + (select count(*) from pgboss.job_common where state < 'completed' and name = any($1)) as left`,
      [queues],
    )
    const left = Number(row?.left)
    if (left < least) deadline = performance.now() + patienceMs
    least = Math.min(least, left)
    first ??= left
    show(first - least, first)
    if (left === 0) return true
    await sleep(500)
  } while (performance.now() < deadline)
  return false
}

/** The number of acknowledged posts that the database does not have. */
async function countLost({ query }: Environment, journal: readonly JournalEntry[]): Promise<number> {
  const [row] = await query<{ lost: number }>(
    `select count(*) as lost from unnest($1::text[]) as acknowledged(id)
      where not exists (select from posts where posts.id = acknowledged.id)`,
    [journal.map(({ id }) => id)],
  )
  return Number(row?.lost)
}

/** Each submission has one post and one charge. */
async function checkCharges({ query }: Environment, submissions: number): Promise<string[]> {
  const [row] = await query<{ posts: number; charges: number; doubled: number }>(
    `select (select count(*) from posts) as posts,
      (select count(*) from ledger_transfers where reason = 'post') as charges,
      (select count(*) from (select subject from ledger_transfers where reason = 'post' group by subject having count(*) > 1) d)
        as doubled`,
  )
  const { posts = 0, charges = 0, doubled = 0 } = row ?? {}
  const isRight = Number(posts) === submissions && Number(charges) === submissions && Number(doubled) === 0
  return isRight
    ? []
    : [`${submissions} submissions made ${posts} posts and ${charges} charges, ${doubled} of them doubled`]
}
