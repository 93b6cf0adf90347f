import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isProblem } from '../../../../clients/typescript/src/index.ts'
import { sitesFromSettings } from '../../../../src/bin/sites.ts'
import { removePost } from '../../../../src/moderation/decisions/decide-by-person.ts'
import { connect, inTransaction } from '../../../../src/platform/database/database.ts'
import { type ApiClient, openApiClient } from '../../../../tooling/clients/api-client.ts'
import type { Environment } from '../environment.ts'
import { makeText } from '../traffic.ts'
import { priceMicros } from '../verify-posts.ts'

/** What its author or an operator does with a post after it was acknowledged. */
const plans = ['keep', 'edit', 'delete', 'remove'] as const
export type Plan = (typeof plans)[number]

/** A post that was acknowledged, and what happened to it according to the responses that its author got. */
export type JournalEntry = {
  id: string
  apiKey: string
  plan: Plan
  /** The text that readers must see once everything is settled. */
  text: string
  /** The texts that readers may see before that. */
  earlierTexts: string[]
  submittedAt: number
  acknowledgedAt: number
  /** When the deletion or removal was acknowledged. */
  withdrawnAt?: number
}

export type Authors = Awaited<ReturnType<typeof openAuthors>>

/** Of twenty posts, two are deleted, two removed and two edited. */
const planOf = (number: number): Plan => {
  const place = number % 20
  if (place === 3 || place === 13) return 'delete'
  if (place === 7 || place === 17) return 'remove'
  return place === 5 || place === 15 ? 'edit' : 'keep'
}

const accountCount = 20
/** The pause before the next look at a post that is not published yet. It grows, so that a backlog is not polled all the time. */
const pauseBeforeLook = (looks: number) => sleep(Math.min(500 * 1.5 ** looks, 30_000))

/**
 * Authors who submit posts at a steady rate and edit or delete some, and an operator who removes others. All of them try
 * again until they get a response, authors with the same Idempotency-Key.
 */
export async function openAuthors(environment: Environment, posts: number, mostRemovals = Number.POSITIVE_INFINITY) {
  const { baseUrl, baseUrls, database } = environment
  const operator = connect(database.urls.operator, { poolMax: 4, applicationName: 'chaos operator' })
  const sites = sitesFromSettings(baseUrls)
  const regulars = await environment.createAccounts(accountCount, posts * priceMicros)
  // A removal costs ten times the price and a strike, so each hits an account of its own.
  const removals = Math.min(Math.ceil(posts / 20) * 2, mostRemovals)
  const unlucky = await environment.createAccounts(removals, 20 * priceMicros)
  const journal: JournalEntry[] = []
  const refused: string[] = []
  const running = new Set<Promise<void>>()
  // Longer than any outage here.
  const settings = { baseUrl, maxRetries: 60, timeoutMs: 15_000 }
  const clientOf = (apiKey: string) => openApiClient({ ...settings, apiKey })
  const noteRefusal = (what: string) => (error: unknown) =>
    void refused.push(`${what}: ${error instanceof Error ? error.message : String(error)}`)

  async function submit(number: number): Promise<void> {
    const planned = planOf(number)
    const victim = planned === 'remove' ? unlucky.pop() : undefined
    const plan = planned === 'remove' && !victim ? 'keep' : planned
    const account = victim ?? regulars[number % regulars.length]
    if (!account) throw new Error('authors need accounts')
    const client = clientOf(account.apiKey)
    const text = makeText(number)
    const submittedAt = Date.now()
    const { body } = await client.submitPost({ text }, {}, { idempotencyKey: `chaos-${crypto.randomUUID()}` })
    if (!('id' in body)) throw new Error('the response is not a status record')
    const when = { submittedAt, acknowledgedAt: Date.now() }
    const entry: JournalEntry = { id: body.id, apiKey: account.apiKey, plan, text, earlierTexts: [], ...when }
    journal.push(entry)
    if (plan !== 'keep') await sleep(randomInt(100, 5_000))
    if (plan === 'delete') {
      await client.deletePost(entry.id)
      entry.withdrawnAt = Date.now()
      return
    }
    const isDone =
      plan === 'remove' ? await isRemoved(entry) : plan !== 'edit' || (await isEdited(client, entry, number))
    if (!isDone) entry.plan = 'keep'
  }

  /** Tries until the post is published and then removed. A post in review stays, and the result is false. */
  async function isRemoved(entry: JournalEntry): Promise<boolean> {
    for (let looks = 0; ; looks++) {
      const by = { postId: entry.id, actor: 'operator:chaos', at: new Date(), category: 'spam' as const }
      const done = await inTransaction(operator.db, (tx) => removePost(tx, sites, by)).catch(() => 'unknown' as const)
      if (done === true) break
      const [post] = await environment.query<{ status: string }>('select status from posts where id = $1', [entry.id])
      if (post?.status === 'removed') break
      if (post?.status === 'review') return false
      await pauseBeforeLook(looks)
    }
    entry.withdrawnAt = Date.now()
    return true
  }

  return {
    journal,
    /** The requests that were given up. */
    refused,
    /** Submits these posts at this rate, whatever the service does meanwhile. Returns their number. */
    submitAll: async (perSecond: number, onSent: (sent: number) => void, signal: AbortSignal) => {
      const startedAt = performance.now()
      let sent = 0
      for (let number = 1; number <= posts && !signal.aborted; number++) {
        await sleep(Math.max(0, startedAt + (number * 1_000) / perSecond - performance.now()))
        const work: Promise<void> = submit(number)
          .catch(noteRefusal(planOf(number)))
          .finally(() => running.delete(work))
        running.add(work)
        sent = number
        onSent(number)
      }
      return sent
    },
    /** Waits until every request has its response. */
    untilAnswered: async () => {
      while (running.size > 0) await Promise.all(running)
    },
    [Symbol.asyncDispose]: () => operator[Symbol.asyncDispose](),
  }
}

/** Tries until the post is published and its edit accepted for moderation. A post in review stays, and the result is false. */
async function isEdited(client: ApiClient, entry: JournalEntry, number: number): Promise<boolean> {
  const text = makeText(number)
  const idempotencyKey = `chaos-${crypto.randomUUID()}`
  for (let looks = 0; ; looks++) {
    try {
      await client.editPost(entry.id, { text }, { idempotencyKey })
      break
    } catch (error) {
      if (!isProblem(error, 'invalid_state')) throw error
      const { body } = await client.getPost(entry.id)
      if (!('status' in body) || body.status === 'review') return false
      await pauseBeforeLook(looks)
    }
  }
  entry.earlierTexts.push(entry.text)
  entry.text = text
  return true
}
