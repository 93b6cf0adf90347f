import { setTimeout as sleep } from 'node:timers/promises'
import { patienceMs } from '../../../tooling/services/state.ts'
import type { Environment } from './environment.ts'

/** The number of posts that the model or the system decided, and the number of waiting posts and jobs. */
export async function countOutcomes({ query }: Environment) {
  const [row] = await query<{ decided: number; queued: number; jobs: number }>(`
    select (select count(*) from moderation_decisions) as decided,
      (select count(*) from posts where status = 'queued') as queued,
      (select count(*) from pgboss.job_common where state < 'completed'
        and name in ('screen-post', 'moderate-post', 'moderate-long-post')) as jobs`)
  return row ?? { decided: 0, queued: 0, jobs: 0 }
}

/** The time limit for the work that remains after the last kill. */
export const settleMs = 2 * patienceMs

type Settling = { withinMs: number; onLook: (decided: number) => void }

/** Waits until no post is queued and no job is left. Returns false after the time limit. */
export async function untilSettled(environment: Environment, { withinMs, onLook }: Settling): Promise<boolean> {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    const { decided, queued, jobs } = await countOutcomes(environment)
    onLook(decided)
    if (queued + jobs === 0) return true
    await sleep(100)
  }
  return false
}

/** When each post was decided, in milliseconds of the machine's clock. */
export async function decisionTimes({ query }: Environment): Promise<Map<string, number>> {
  const rows = await query<{ post_id: string; decided_at: Date }>(
    'select post_id, min(decided_at) as decided_at from moderation_decisions group by post_id',
  )
  return new Map(rows.map(({ post_id, decided_at }) => [post_id, decided_at.getTime()]))
}

export async function countStatuses({ query }: Environment): Promise<Record<string, number>> {
  const rows = await query<{ status: string; posts: number }>(
    'select status, count(*) as posts from posts group by status order by status',
  )
  return Object.fromEntries(rows.map(({ status, posts }) => [status, posts]))
}

export const toSeconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10
