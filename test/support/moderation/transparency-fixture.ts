import assert from 'node:assert/strict'
import { sitesFromSettings } from '../../../src/bin/sites.ts'
import { handlersOf } from '../../../src/handlers.ts'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { openPages } from '../../../src/platform/page-store/open-pages.ts'
import { buildPage } from '../../../src/publishing/jobs/build-page.ts'
import { openPublishing } from '../../../src/publishing/publishing.ts'
import type { Service } from '../../../tooling/environment/service.ts'

export type Said = {
  outcome: 'publish' | 'low_quality' | 'abuse' | 'review' | 'remove' | 'restore'
  category?: string
  /** The decider, if not the model. */
  by?: string
  /** The decision that the model's judge preferred. */
  verdict?: 'accept' | 'review' | 'reject'
  edit?: number
}

type Answered = { staffId: string; postId: string; verdict: string; at: string; appliedAt?: string }

/** Common steps of transparency tests: create a day’s rows, compute that day’s counts, read the page. */
export async function openTransparencyFixture(service: Service) {
  const accountId = (await service.createAccount()).id
  const sites = sitesFromSettings(service.baseUrls)
  const { workerDb: db, clock } = service
  const pages = openPages(service.pages)
  const publishing = await openPublishing({ db, clock, sites, pages, delays: { lists: 0, others: 0 } })
  // This job needs nothing else from a worker.
  const handlers = handlersOf({ moderation: { db, clock, sites }, publishing } as never)
  return {
    accountId,
    setClock: (time: string) => {
      clock.setOffset(0)
      clock.setOffset(Date.parse(time) - clock.now().getTime())
    },
    post: async (at: string, kindName = 'message') => {
      const kind = kinds.find(({ name }) => name === kindName) as Kind
      const id = newId('post', new Date(at))
      const body = kind.body.parse(kind.examples[0])
      await service.asOwner(
        `insert into posts (id, account_id, kind, status, content, facets, created_at)
         values ($1, $2, $3, 'queued', $4, $5, $6)`,
        [id, accountId, kind.name, JSON.stringify(body), JSON.stringify(kind.facets(body)), at],
      )
      return id
    },
    decide: (postId: string, at: string, { outcome, category, by = 'model:test', verdict, edit = 0 }: Said) =>
      service.asOwner(
        `insert into moderation_decisions
           (post_id, edit, outcome, category, automated, actor, policy_version, model, scores, decided_at)
         values ($1, $2, $3, $4, $5, $6, '2026-11-15', $7, $8, $9)`,
        [
          ...[postId, edit, outcome, category ?? null, /^(model|system):/.test(by), by],
          ...[by === 'model:test' ? 'test' : null, JSON.stringify(verdict ? { judge: { verdict } } : {}), at],
        ],
      ),
    appeal: (postId: string, at: string, decided?: { outcome: 'upheld' | 'dismissed'; at: string }) =>
      service.asOwner(
        `insert into appeals (post_id, account_id, message, submitted_at, outcome, decided_at)
         values ($1, $2, 'An appeal in words of mine.', $3, $4, $5)`,
        [postId, accountId, at, decided?.outcome ?? null, decided?.at ?? null],
      ),
    report: async (postId: string, at: string, category: string, closed?: { outcome: string; at: string }) => {
      await service.asOwner('select file_report($1, $2, null, $3, null, null, $4)', [
        ...[newId('rep', new Date(at)), postId, category, at],
      ])
      if (closed)
        await service.asOwner('update report_cases set closed_at = $2, outcome = $3 where post_id = $1', [
          ...[postId, closed.at, closed.outcome],
        ])
    },
    /** A reviewer's answers to cases of one post, at one moment; applied if requested. */
    answer: async (keys: readonly string[], { staffId, postId, verdict, at, appliedAt }: Answered) => {
      await service.asOwner(
        `insert into staff (id, name, email, role, invited_at) values ($1, 'Ada', 'ada@example.com', 'reviewer', $2)
         on conflict do nothing`,
        [staffId, at],
      )
      await service.asOwner(
        `insert into desk_claims (case_key, staff_id, claimed_at, expires_at) select key, $2, $3, $3 from unnest($1::text[]) key`,
        [keys, staffId, at],
      )
      await service.asOwner(
        `insert into desk_decisions (case_key, case_kind, post_id, edit, account_id, staff_id, verdict, seconds, decided_at,
           due_at, applied_at, effect)
         select key, split_part(key, ':', 1), $2, 0, $3, $4, $5, 7, $6, $6, $7, case when $7::timestamptz is not null then 'done' end
         from unnest($1::text[]) key`,
        [keys, postId, accountId, staffId, verdict, at, appliedAt ?? null],
      )
    },
    /** Runs the daily job, and builds the pages that it requests. */
    count: async () => {
      await handlers['count-moderation-days']?.({}, {} as never)
      const asked = await service.asOwner<{ data: { kind: string; page: string } }>(
        "delete from pgboss.job where name = 'build-page' returning data",
      )
      assert.deepEqual(
        asked.map(({ data }) => `${data.kind} ${data.page}`).sort(),
        kinds.map(({ name }) => `${name} transparency`).sort(),
      )
      for (const { data } of asked) await buildPage(publishing, data)
    },
    build: (kind: string) => buildPage(publishing, { kind, page: 'transparency' }),
    file: async (kind: Kind, name: string) =>
      String(await pages.siteReader(kind.site.slug).read(`transparency/${name}`)),
  }
}

/** The numbers that are not zero. */
export const nonZero = (counts: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0 && count !== null))
