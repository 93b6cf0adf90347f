import { connect } from '../../../src/platform/database/database.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'

export type PostsFixture = Awaited<ReturnType<typeof openPostsFixture>>

/** A separate database whose posts a test can set, with the privileges of the schema owner. */
export async function openPostsFixture() {
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
    /** Each has its moderation job, and is four windows of work. */
    queuePosts: async (count: number, account: string = newId('acct', at)): Promise<string[]> => {
      const ids = Array.from({ length: count }, () => newId('post', at))
      await owner.pool.query(
        `insert into posts (id, account_id, kind, status, content, facets, created_at)
         select id, $2, 'message', 'queued', '{"text": "x"}', '{}', $3 from unnest($1::text[]) as id`,
        [ids, account, at],
      )
      await owner.pool.query(
        `insert into pgboss.job_common (name, data, singleton_key, group_id, group_tier, priority)
         select 'moderate-post', jsonb_build_object('post_id', id, 'edit', 0), id || ':0', $2, '4', -4 * place
         from unnest($1::text[]) with ordinality as given(id, place)`,
        [ids, account],
      )
      return ids
    },
    /** As a worker does when the model has answered. */
    decidePosts: async (ids: readonly string[]) => {
      await owner.pool.query(
        `with decided as (update posts set status = 'rejected', decided_at = $2 where id = any($1) returning id)
         insert into moderation_decisions (post_id, outcome, automated, actor, policy_version, scores, decided_at)
         select id, 'low_quality', true, 'model:test', '1', '{"windows": 4}', $2 from decided`,
        [ids, at],
      )
      await owner.pool.query("delete from pgboss.job_common where data ->> 'post_id' = any($1)", [ids])
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
