import { randomInt } from 'node:crypto'
import { openApiClient } from '../../../tooling/clients/api-client.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { type Account, type Environment, openEnvironment } from './environment.ts'
import { shareWithinTwo } from './estimates.ts'
import { decisionTimes, toSeconds, untilSettled } from './outcomes.ts'
import { makeText, openPool, randomWord } from './traffic.ts'

/** Slightly less than the maximum length of a story. */
const storyWords = 2_400
const clients = 8
const messages = 5
/**
 * The time limit for another account's message, the maximum ratio to its time on an idle system, and to the time of one
 * story on this machine. Behind the whole queue, a message would wait for all of them.
 */
const most = { seconds: 5, timesUnloaded: 10, stories: 2 }
const settledWithinMs = 600_000

type Sent = { id: string; createdAt: number; told: { decisionAt: number } }

/**
 * One account queues many of the longest stories. Other accounts must not be delayed, and the model must keep running.
 */
export async function floodWithStories({ stories }: { stories: number }) {
  const startedAt = performance.now()
  await using environment = await openEnvironment({ driver: 'command', workers: 1 })
  await environment.startWorkers()
  const [flooder, other] = (await environment.createAccounts(2, 1_000_000 * stories + 10_000_000)) as [Account, Account]
  const unloaded = await timeMessages(environment, other, 3)
  const flood = await queueStories(environment, flooder, stories)
  const loaded = await timeMessages(environment, other, messages)
  const leftBehind = await countQueued(environment)
  const isSettled = await untilSettled(environment, { withinMs: settledWithinMs, onLook: () => {} })
  const decidedAt = await decisionTimes(environment)
  const limit = Math.max(
    most.seconds,
    most.timesUnloaded * Math.min(...unloaded.map(({ seconds }) => seconds)),
    most.stories * secondsPerStory(flood, decidedAt),
  )
  const slowest = Math.max(...loaded.map(({ seconds }) => seconds))
  const broken = await faultsOf(environment, stories)
  if (!isSettled) broken.push('not all posts were decided')
  if (slowest > limit) broken.push(`another account waited ${slowest} s for a message, more than ${limit} s`)
  if (environment.modelStarts().length !== 1)
    broken.push(`the model was started ${environment.modelStarts().length} times`)
  return {
    stories: 2 * stories,
    unloaded_seconds: unloaded.map(({ seconds }) => seconds),
    loaded_seconds: loaded.map(({ seconds }) => seconds),
    posts_that_still_waited: leftBehind,
    // Leaves out the rejected stories: the estimate at submission does not know that a rule will reject them
    // immediately.
    share_told_within_factor_two: isSettled && {
      stories: shareWithinTwo(flood, decidedAt),
      messages: shareWithinTwo(loaded, decidedAt),
    },
    seconds: toSeconds(performance.now() - startedAt),
    ...environment.logsIf(broken.length > 0),
    broken,
  }
}

/** How long the model needed for each story, from the first submission to the last decision. */
function secondsPerStory(flood: readonly Sent[], decidedAt: ReadonlyMap<string, number>): number {
  const ends = flood.flatMap(({ id }) => decidedAt.get(id) ?? [])
  const began = Math.min(...flood.map(({ createdAt }) => createdAt))
  return ends.length === 0 ? 0 : toSeconds((Math.max(...ends) - began) / ends.length)
}

/** A rule rejects half of the stories for the placeholder at their end, and they are refunded. Returns the others. */
async function queueStories(environment: Environment, { apiKey }: Account, stories: number): Promise<Sent[]> {
  const client = openApiClient({ baseUrl: String(environment.baseUrls['story']), apiKey, timeoutMs: 60_000 })
  const sent: Sent[] = []
  const pool = openPool(clients)
  for (let number = 1; number <= 2 * stories; number++)
    pool.add(async () => {
      const isPoor = number % 2 === 1
      const story = { title: `Walk ${number}`, body: `${makeStory()}${isPoor ? ' {{name}}' : ''}` }
      const receipt = readReceipt((await client.submitPost(story as never)).body)
      if (!isPoor) sent.push(receipt)
    })
  await pool.untilLeft(0)
  return sent
}

/** Different enough that none is rejected as a near-duplicate. */
const makeStory = () => {
  const lines: string[] = []
  for (let words = 0; words < storyWords; words += 12) {
    const [from, to] = [randomWord(), randomWord()]
    lines.push(
      `By ${from} ${randomInt(100_000)} the ${to} kept ${randomWord()} ${randomInt(100_000)} and ${randomWord()} away.`,
    )
  }
  return lines.join(' ')
}

/** Sends messages one after another and measures how long each decision took. */
async function timeMessages(
  environment: Environment,
  { apiKey }: Account,
  count: number,
): Promise<(Sent & { seconds: number })[]> {
  const client = openApiClient({ baseUrl: environment.baseUrl, apiKey, timeoutMs: 60_000 })
  const sent: (Sent & { seconds: number })[] = []
  for (let number = 1; number <= count; number++) {
    const receipt = readReceipt((await client.submitPost({ text: makeText(number) })).body)
    const decidedAt = async () => (await decisionTimes(environment)).get(receipt.id)
    await waitFor(async () => (await decidedAt()) !== undefined, 'a message to be decided', settledWithinMs)
    sent.push({ ...receipt, seconds: toSeconds(Number(await decidedAt()) - receipt.createdAt) })
  }
  return sent
}

function readReceipt(body: object): Sent {
  const { id, created_at, moderation } = body as {
    id: string
    created_at: string
    moderation: { estimated_decision_at: string }
  }
  return {
    id,
    createdAt: Date.parse(created_at),
    told: { decisionAt: Date.parse(moderation.estimated_decision_at) },
  }
}

async function countQueued({ query }: Environment): Promise<number> {
  const [row] = await query<{ queued: number }>("select count(*) as queued from posts where status = 'queued'")
  return row?.queued ?? 0
}

async function faultsOf({ query }: Environment, stories: number): Promise<string[]> {
  const rows = await query<{ actor: string; outcome: string; posts: number }>(
    `select case when actor like 'model:%' then 'model' else actor end as actor, outcome, count(*) as posts
     from moderation_decisions group by 1, 2`,
  )
  const count = (actor: string) => rows.filter((row) => row.actor === actor).reduce((sum, row) => sum + row.posts, 0)
  const gaveUp = count('system:model-gave-no-answer')
  const byRules = count('system:rules')
  return [
    ...(gaveUp > 0 ? [`${gaveUp} posts went to a reviewer because the model did not answer`] : []),
    ...(byRules === stories ? [] : [`the rules alone decided ${byRules} of ${stories} posts`]),
  ]
}
