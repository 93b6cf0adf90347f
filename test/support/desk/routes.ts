import { deskRoutes } from '../../../src/desk/routes.ts'
import { openStaff } from '../../../tooling/clients/staff.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedCases } from '../../../tooling/fixtures/desk-cases.ts'

export type DeskRoute = (typeof deskRoutes)[number]

type Subject = 'case' | 'held' | 'member' | 'decided' | 'token'

type Example = {
  /** The path parameter; required if the path has one. */
  names?: Subject
  /** The required form fields. */
  form?: () => Record<string, string>
  /** The expected status for a permitted member, if not 200 for a page and 303 for an action. */
  status?: number
}

/** How each route is requested. A route that needs more than its path must have an entry here. */
const examples: Partial<Record<string, Example>> = {
  'GET /join/:token': { names: 'token', status: 303 },
  // No valid link exists here.
  'GET /join': { status: 410 },
  'POST /join': { form: () => ({ credential: '{}' }), status: 410 },
  // A signed-in member is redirected to the queue.
  'GET /sign-in': { status: 303 },
  'POST /sign-in': { form: () => ({ credential: '{}' }), status: 422 },
  'POST /next': { form: () => ({ kind: 'review' }) },
  'GET /cases/:key': { names: 'case' },
  'POST /cases/:key/claim': { names: 'case' },
  'POST /cases/:key/renew': { names: 'held', status: 200 },
  'POST /cases/:key/skip': { names: 'held' },
  'POST /cases/:key/decide': { names: 'held', form: () => ({ verdict: 'publish' }) },
  'POST /cases/:key/undo': { names: 'decided' },
  'POST /cases/:key/free': { names: 'held' },
  'POST /numbers/decisions': { form: () => ({ since: '2026-11-01', until: '2026-11-15' }), status: 200 },
  'POST /staff/:id/role': { names: 'member', form: () => ({ role: 'lead' }) },
  'GET /staff/:id/disable': { names: 'member' },
  'POST /staff/:id/disable': { names: 'member' },
  'POST /staff/:id/sessions/end': { names: 'member' },
}

export const nameOf = ({ method, path }: DeskRoute) => `${method} ${path}`

/** Routes without an entry, and entries without a route. */
export function strayExamples() {
  const names = deskRoutes.map(nameOf)
  return {
    routes: deskRoutes.filter((route) => needsExample(route) && !examples[nameOf(route)]).map(nameOf),
    lines: Object.keys(examples).filter((name) => !names.includes(name)),
  }
}

const needsExample = ({ path, form }: DeskRoute) => path.includes(':') || form !== undefined

export type Subjects = Record<Subject, string>

/** Objects for every route: the current member has claimed `held` and decided `decided`. */
export async function seedSubjects(service: Service, byStaffId: string): Promise<Subjects> {
  const [free = '', held = '', decided = ''] = await seedCases(service, { reviews: 3 })
  const at = service.clock.now()
  const claim =
    "insert into desk_claims (case_key, staff_id, claimed_at, expires_at) values ($1, $2, $3::timestamptz, $3::timestamptz + interval '2 minutes')"
  for (const key of [held, decided]) await service.asOwner(claim, [key, byStaffId, at])
  await service.asOwner(
    `insert into desk_decisions (case_key, case_kind, post_id, edit, account_id, staff_id, verdict, seconds, decided_at, due_at)
     select $1, 'review', id, 0, account_id, $2, 'publish', 1, $3::timestamptz, $3::timestamptz + interval '1 hour' from posts
     where id = split_part($1, ':', 2)`,
    [decided, byStaffId, at],
  )
  await service.asOwner('delete from desk_claims where case_key = $1', [decided])
  return { case: free, held, decided, member: (await openStaff(service)).id, token: 'A'.repeat(43) }
}

/** The address and the form of a route. */
export function askFor(route: DeskRoute, subjects: Subjects) {
  const { names, form, status } = examples[nameOf(route)] ?? {}
  const path = names ? route.path.replace(/:\w+/, encodeURIComponent(subjects[names])) : route.path
  return { path, fields: form?.() ?? {}, status: status ?? (route.method === 'GET' ? 200 : 303) }
}

/** A hash of everything that staff may change, and of the log about it. */
export async function fingerprint(service: Service): Promise<string> {
  const tables = [
    ...['staff', 'staff_links', 'staff_sessions', 'passkeys', 'spent_challenges'],
    ...['desk_claims', 'desk_skips', 'desk_decisions', 'moderation_decisions', 'posts', 'appeals', 'report_cases'],
    ...['audit_log', 'audit_chain', 'accounts', 'ledger_transfers', 'events'],
  ]
  const prints = tables.map(
    (table) =>
      `select '${table} ' || coalesce(md5(string_agg(t::text, e'\n' order by t::text)), '') as print from ${table} t`,
  )
  const rows = await service.asOwner<{ print: string }>(prints.join(' union all '))
  return rows.map(({ print }) => print).join('\n')
}
