import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decimal, readOptions } from '../../../tooling/script-options.ts'
import { repoDir, waitFor } from '../../../tooling/services/state.ts'
import { cpuSeconds, load, printTable } from './harness.ts'
import { openService } from './service.ts'

/** Sends posts through all stages at a steady rate, with the local model and a judge that accepts everything. */
export async function benchDecisions(args: string[]): Promise<void> {
  const { seconds, rate } = readOptions(args, { seconds: decimal(60), rate: decimal(20) })
  await using service = await openService(1_000)
  const pids = [(await service.start('model')).pid, (await service.start('worker')).pid]
  const words = realWords()
  const submit = async () => {
    const sentence = () =>
      `${Array.from({ length: 15 }, () => words[Math.floor(Math.random() * words.length)]).join(' ')}.`
    await service.call('/v1/posts', { body: { text: `${sentence()} ${sentence()}` }, status: 202 })
  }
  const waiting = async () =>
    (await service.owner.pool.query(`select from posts where status = 'queued'`)).rowCount ?? 0
  const untilDecided = () => waitFor(async () => (await waiting()) === 0, 'all posts to be decided', 900_000)
  await load({ seconds: 5, perSecond: 2 }, submit)
  await untilDecided()
  const [startedAt, cpuBefore] = [new Date(), cpuSeconds(pids)]
  await load({ seconds, perSecond: rate }, submit)
  const waitingAtEnd = await waiting()
  await untilDecided()
  const { rows } = await service.owner.pool.query<{ sent: number; p50: number; p95: number; published: number }>(
    `select count(*)::int as sent, (count(*) filter (where outcome = 'publish'))::float8 / count(*) as published,
       percentile_cont(0.5) within group (order by extract(epoch from moderation_decisions.decided_at - created_at))::float8 as p50,
       percentile_cont(0.95) within group (order by extract(epoch from moderation_decisions.decided_at - created_at))::float8 as p95
     from posts join moderation_decisions on post_id = posts.id where created_at >= $1`,
    [startedAt],
  )
  const { sent, p50, p95, published } = rows[0] as (typeof rows)[number]
  printTable(`${rate} posts a second for ${seconds} s`, {
    decisions: {
      ...{ sent, 'share published': published, 'waiting at the end': waitingAtEnd, 'p50 s': p50, 'p95 s': p95 },
      'CPU ms a post': ((cpuSeconds(pids) - cpuBefore) * 1_000) / sent,
    },
  })
}

/** The words of harmless posts, so that texts have realistic lengths and word frequencies. */
function realWords(): string[] {
  const lines = readFileSync(join(repoDir, 'model/data/clean.jsonl'), 'utf8').trim().split('\n')
  const texts = lines.map((line) => String((JSON.parse(line) as { text: string }).text))
  return [...new Set(texts.join(' ').match(/\p{L}{2,}/gu))]
}
