import { showProgress } from '../../../src/bin/progress.ts'
import { type Account, type Environment, openEnvironment } from './environment.ts'
import { toSeconds } from './outcomes.ts'
import { makeText } from './traffic.ts'
import { priceMicros } from './verify-posts.ts'

type Options = { rounds: number; copies: number }

/**
 * Many copies of one submission arrive at two processes at the same time. There must be one post, one charge and the
 * same response for all.
 */
export async function sendCopies({ rounds, copies }: Options) {
  const startedAt = performance.now()
  await using environment = await openEnvironment({ driver: 'command', workers: 0 })
  const [account] = await environment.createAccounts(1, 2 * rounds * priceMicros)
  if (!account) throw new Error('no account was created')
  const show = showProgress('rounds')
  const broken: string[] = []
  let slowestMs = 0
  for (let round = 1; round <= rounds; round++) {
    const begunAt = performance.now()
    const answers = await sendAtOnce(environment, account, { round, copies })
    slowestMs = Math.max(slowestMs, performance.now() - begunAt)
    broken.push(...faultsOf(answers).map((fault) => `round ${round}: ${fault}`))
    show(round, rounds)
  }
  broken.push(...(await countEffects(environment, rounds)))
  return {
    rounds,
    copies,
    submissions: rounds * copies,
    answered_by_each_process: await answeredByEach(environment),
    slowest_round_seconds: toSeconds(slowestMs),
    seconds: toSeconds(performance.now() - startedAt),
    ...environment.logsIf(broken.length > 0),
    broken: [...broken, ...environment.deaths()],
  }
}

type Received = { status: number; replayed: boolean; body: string }

/** Does not use the client, which would parse the responses: here the bytes must be compared. */
async function sendAtOnce(
  { baseUrl }: Environment,
  { apiKey }: Account,
  { round, copies }: { round: number; copies: number },
) {
  const request = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `copies-of-round-${round}`,
    },
    body: JSON.stringify({ text: makeText(round) }),
  }
  const send = async (): Promise<Received> => {
    const response = await fetch(`${baseUrl}/v1/posts`, request)
    const replayed = response.headers.get('idempotent-replayed') === 'true'
    return { status: response.status, replayed, body: await response.text() }
  }
  return Promise.all(Array.from({ length: copies }, send))
}

function faultsOf(answers: readonly Received[]): string[] {
  const statuses = new Set(answers.map(({ status }) => status))
  const bodies = new Set(answers.map(({ body }) => body))
  const first = answers.filter(({ replayed }) => !replayed).length
  return [
    ...(statuses.size > 1 || !statuses.has(202) ? [`the response statuses are ${[...statuses].join(', ')}`] : []),
    ...(bodies.size > 1 ? [`the responses have ${bodies.size} different bodies`] : []),
    ...(first === 1 ? [] : [`${first} responses claim to be the first`]),
  ]
}

async function countEffects({ query }: Environment, rounds: number): Promise<string[]> {
  const [row] = await query<Record<string, number>>(`
    select (select count(*) from posts) as posts,
      (select count(*) from ledger_transfers where reason = 'post') as charges,
      (select count(*) from idempotent_answers) as answers,
      (select count(*) from pgboss.job_common where name in ('screen-post', 'moderate-post')) as jobs,
      (select sum(amount_micros) / ${priceMicros} from ledger_transfers where reason = 'post')::bigint as prices,
      (select ${2 * rounds} - sum(prepaid_micros) / ${priceMicros} from balances)::bigint as prices_paid`)
  return Object.entries(row ?? {})
    .filter(([, count]) => count !== rounds)
    .map(([name, count]) => `${count} ${name} for ${rounds} rounds`)
}

/** The number of submissions that each API process answered, by its own metrics. */
async function answeredByEach({ metricsUrls }: Environment): Promise<number[]> {
  return Promise.all(
    metricsUrls.map(async (url) => {
      const text = await (await fetch(url)).text()
      const counts = text.matchAll(/^http_server_request_duration_seconds_count\{.*operation="submitPost".*\} (\d+)/gm)
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    }),
  )
}
