import assert from 'node:assert/strict'
import type { PostStatus } from '../../../clients/typescript/src/index.ts'
import { listCases, type QueuedCase } from '../../../src/cases/queue.ts'
import { caseUrl } from '../../../src/desk/case/address.ts'
import type { PolicyCategoryId } from '../../../src/policy/policy.ts'
import { openStaff, type Staff } from '../../../tooling/clients/staff.ts'
import type { Service, ServiceOptions } from '../../../tooling/environment/service.ts'
import { openWebhookFixture } from '../webhooks/webhook-fixture.ts'

export type DeskFixture = Awaited<ReturnType<typeof openDeskFixture>>
export type Author = Awaited<ReturnType<DeskFixture['openAuthor']>>

/** Long enough that a decision can no longer be undone. */
export const windowSeconds = 11

/**
 * The whole service with a worker, the model and a receiver; authors who post through the API, and staff who decide.
 */
export async function openDeskFixture(options: Pick<ServiceOptions, 'settings'> = {}) {
  const fixture = await openWebhookFixture(options)
  const { service } = fixture
  const reviewers = { ada: await openStaff(service, { name: 'Ada' }), ben: await openStaff(service, { name: 'Ben' }) }
  let authors = 0

  /** An account whose events are delivered to its own path. */
  async function openAuthor(amountMicros = 1_000_000) {
    const account = await service.createCustomer(amountMicros)
    const path = `/author-${++authors}`
    await fixture.create(account, path)
    return {
      ...account,
      /** Submits a post, and returns its id once the model has decided. */
      submit: async (text: string) => {
        const { body } = await account.client.submitPost({ text })
        assert.ok('id' in body)
        await service.settle()
        return body.id
      },
      record: async (id: string) => (await account.client.getPost(id)).body as PostStatus,
      money: async () => {
        const { balance_micros, owed_micros, strikes, standing } = (await account.client.getAccount()).body
        return { balance_micros, owed_micros, strikes, standing }
      },
      /** The events delivered to it; polling shows the same. */
      events: async () => {
        const delivered = fixture.receiver.at(path).map(({ body }) => JSON.parse(body))
        const polled = (await account.client.listEvents({ limit: 100 })).body.data
        assert.deepEqual(
          delivered,
          polled.map(({ id: _id, ...event }) => event),
        )
        return polled
      },
    }
  }

  /** The case of a post as this member finds it in the list. */
  async function caseOf(postId: string, kind: QueuedCase['kind'], member: Staff = reviewers.ada): Promise<QueuedCase> {
    const { deskDb, clock } = service
    const listed = await listCases(deskDb, { staffId: member.id, at: clock.now(), limit: 100, kind })
    const found = listed.find(({ post_id }) => post_id === postId)
    assert.ok(found, `no ${kind} of ${postId} waits`)
    return found
  }

  /** Claims and decides as the pages do, and returns the response status; the decision can still be undone. */
  async function press(member: Staff, key: string, verdict: string, category?: PolicyCategoryId): Promise<number> {
    await member.post(`${caseUrl(key)}/claim`)
    const page = await (await member.get(caseUrl(key))).text()
    const seen = /name="seen" value="([^"]*)"/.exec(page)?.[1] ?? ''
    const { status } = await member.post(`${caseUrl(key)}/decide`, { verdict, seen, ...(category && { category }) })
    // The member immediately gets the next case; here each test chooses its own.
    await service.asOwner('delete from desk_claims')
    return status
  }

  return {
    ...fixture,
    ...reviewers,
    openAuthor,
    caseOf,
    press,
    /** Decides, and waits until everything is applied. */
    decide: async (...pressed: Parameters<typeof press>) => {
      assert.equal(await press(...pressed), 303)
      fixture.pass(windowSeconds)
      await service.settle()
    },
    undo: async (member: Staff, key: string) => (await member.post(`${caseUrl(key)}/undo`)).status,
    report: (post_id: string, category: PolicyCategoryId) => service.client().reportPost({ post_id, category }),
    /** Who did what about a case, in order, since it was last claimed. */
    log: async (key: string) => {
      const rows = await service.asOwner<{
        actor: string
        action: string
        verdict: string | null
        effect: string | null
      }>(
        `select actor, action, details->>'verdict' as verdict, details->>'effect' as effect
         from audit_log where details->>'case' = $1 order by id`,
        [key],
      )
      const claimed = rows.findLastIndex(({ action }) => action === 'case.claim')
      return rows
        .slice(claimed)
        .map(({ actor, action, verdict, effect }) => [actor, action, verdict, effect].filter(Boolean).join(' '))
    },
    look: (path: string) => look(service, path),
    [Symbol.asyncDispose]: fixture[Symbol.asyncDispose],
  }
}

async function look({ baseUrl }: Service, path: string) {
  const response = await fetch(`${baseUrl}${path}`)
  return { status: response.status, text: await response.text() }
}

/** A hash of every table except those for audit and its log, leases, sessions, and heartbeats of workers and model. */
export async function fingerprint({ asOwner }: Service): Promise<Record<string, string>> {
  const tables = await asOwner<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' and tablename <> all ($1) order by 1`,
    [
      [
        'audit_log',
        'audit_chain',
        'audit_head',
        'log_audit_heads',
        'log_checkpoints',
        'log_entries',
        'log_head',
        'desk_claims',
        'staff_sessions',
        'delivery_workers',
        'model_status',
        'review_pace',
      ],
    ],
  )
  const hashes = await asOwner<{ name: string; hash: string }>(
    [
      ...tables.map(
        ({ name }) =>
          `select '${name}' as name, coalesce(md5(string_agg(md5(row::text), '' order by md5(row::text))), '') as hash from "${name}" row`,
      ),
      // Hourly schedules change by themselves.
      `select 'jobs', count(*)::text from pgboss.job_common where data::text like '%_id%'`,
    ].join(' union all '),
  )
  return Object.fromEntries(hashes.map(({ name, hash }) => [name, hash]))
}
