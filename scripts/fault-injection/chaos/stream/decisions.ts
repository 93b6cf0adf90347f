import { setTimeout as sleep } from 'node:timers/promises'
import { sitesFromSettings } from '../../../../src/bin/sites.ts'
import { kinds } from '../../../../src/kinds/index.ts'
import { applyDecision } from '../../../../src/moderation/decisions/apply-decision.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { connect, inTransaction } from '../../../../src/platform/database/database.ts'
import { newId } from '../../../../src/platform/identifiers.ts'
import { erasePost } from '../../../../src/posts/deletion.ts'
import { lockPost } from '../../../../src/posts/status/change-status.ts'
import { waitFor } from '../../../../tooling/services/state.ts'
import type { Environment } from '../environment.ts'

/** One post of so many is deleted, long after it was published, so that no reader skips its publication. */
const deletedOneOf = 20
const deletedAfter = 200

/**
 * Decides posts as the worker does, without a model, whose work would take the processor from the readers. A decision
 * whose outcome is unknown is made again, and finds that it was made.
 */
export function openDecisions({ database, baseUrls }: Environment, accountId: string) {
  const api = connect(database.urls.api, { poolMax: 4, applicationName: 'chaos author' })
  const worker = connect(database.urls.worker, { poolMax: 4, applicationName: 'chaos decisions' })
  const sites = sitesFromSettings(baseUrls, kinds)
  const published: string[] = []
  const pending = new Set<Promise<void>>()
  let deleted = 0

  async function publish(number: number): Promise<void> {
    const kind = kinds[number % kinds.length] ?? kinds[0]
    if (!kind) throw new Error('no kind')
    const body = kind.body.parse(kind.examples[0])
    const id = newId('post', systemClock.now())
    await untilDone(async () => {
      const created = { id, account_id: accountId, kind: kind.name, status: 'queued' as const }
      const written = { content: JSON.stringify(body), facets: JSON.stringify(kind.facets(body)) }
      const values = { ...created, ...written, created_at: systemClock.now() }
      await api.db
        .insertInto('posts')
        .values(values)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
    await untilDone(() =>
      inTransaction(worker.db, async (tx) => {
        if ((await lockPost(tx, id))?.status !== 'queued') return
        await applyDecision(tx, sites, {
          ...{ postId: id, edit: 0, outcome: 'publish', category: null, from: ['queued'], at: systemClock.now() },
          by: { automated: true, actor: 'model:chaos' },
        })
      }),
    )
    published.push(id)
  }

  async function remove(id: string): Promise<void> {
    await untilDone(() =>
      inTransaction(api.db, async (tx) => {
        const post = await lockPost(tx, id)
        const kind = kinds.find(({ name }) => name === post?.kind)
        if (post && kind) await erasePost(tx, kind, post, systemClock.now())
      }),
    )
    deleted += 1
  }

  const start = (work: Promise<void>) => {
    pending.add(work)
    void work.finally(() => pending.delete(work))
  }
  return {
    published: () => published.length,
    /** At a steady rate, whatever the service does. */
    publishFor: async (seconds: number, rate: number): Promise<void> => {
      const from = performance.now()
      for (let number = 0; number < seconds * rate; number++) {
        await sleep(Math.max(from + (number * 1_000) / rate - performance.now(), 0))
        start(publish(number))
        const old = published[number - deletedAfter]
        if (old && number % deletedOneOf === 0) start(remove(old))
      }
      await Promise.all(pending)
    },
    deleted: () => deleted,
    [Symbol.asyncDispose]: async () => {
      await api[Symbol.asyncDispose]()
      await worker[Symbol.asyncDispose]()
    },
  }
}

/** Until it succeeds: the database may be away. */
const untilDone = (work: () => Promise<unknown>) =>
  waitFor(
    () =>
      work().then(
        () => true,
        () => false,
      ),
    'the database',
  )
