import { migratedDatabase } from '../../scripts/services/databases.ts'
import { connect } from '../../src/platform/database.ts'
import { newId } from '../../src/platform/identifiers.ts'

export type PostsStage = Awaited<ReturnType<typeof stageForPosts>>

/** A database of its own whose posts are set as a test needs them, with the rights of the schema's owner. */
export async function stageForPosts() {
  await using starting = new AsyncDisposableStack()
  const database = starting.use(await migratedDatabase('model'))
  const owner = starting.use(connect(database.urls.migrator, { poolMax: 2, applicationName: 'test owner' }))
  const worker = starting.use(
    connect(database.urls.worker, { poolMax: 8, applicationName: 'test worker', onError: () => {} }),
  )
  const stack = starting.move()
  const at = new Date('2026-11-15T12:00:00Z')
  return {
    database,
    db: worker.db,
    query: (sql: string, values: unknown[] = []) => owner.pool.query(sql, values),
    queuePosts: async (count: number): Promise<string[]> => {
      const ids = Array.from({ length: count }, () => newId('post', at))
      await owner.pool.query(
        `insert into posts (id, account_id, kind, status, content, facets, created_at)
         select id, $2, 'message', 'queued', '{"text": "x"}', '{}', $3 from unnest($1::text[]) as id`,
        [ids, newId('acct', at), at],
      )
      return ids
    },
    /** As a worker does when the model has answered. */
    decidePosts: async (ids: readonly string[]) => {
      await owner.pool.query(
        `with decided as (update posts set status = 'rejected', decided_at = $2 where id = any($1) returning id)
         insert into moderation_decisions (post_id, outcome, automated, actor, policy_version, decided_at)
         select id, 'low_quality', true, 'model:test', '1', $2 from decided`,
        [ids, at],
      )
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
