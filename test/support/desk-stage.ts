import type { Kind } from '../../src/kinds/index.ts'
import { kinds } from '../../src/kinds/index.ts'
import { penalty } from '../../src/ledger/penalty.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { type PolicyCategoryId, policy, policyCategoryIds } from '../../src/policy/policy.ts'
import { reasonFor } from '../../src/policy/reasons.ts'
import { signatureOf } from '../../src/posts/signature.ts'
import { accountNames, bodyOf, textOf } from './desk-texts.ts'
import type { Service } from './service.ts'

/** How many of each kind of case. `edits` are reviews too: of a change to a published post. */
export type CasesWanted = {
  reviews?: number
  reports?: number
  appeals?: number
  checks?: number
  edits?: number
  audits?: number
}

/** What it needs of a service. */
type Place = Pick<Service, 'clock' | 'asOwner' | 'asWorker'> & { createCustomer: () => Promise<{ id: string }> }

type Role = 'review' | 'report' | 'appeal' | 'check' | 'edit' | 'audit' | 'past'
type StagedPost = {
  id: string
  role: Role
  kind: Kind
  account_id: string
  content: object
  at: Date
  category: PolicyCategoryId | null
  /** A removed one was public before. */
  removed: boolean
}

const minuteMs = 60_000
/** So many cases have one author. */
const casesOfOne = 8
/** The spam of a bulk sender: every so many reviews have nearly the same text as the one before. */
const copyEvery = 9

/**
 * Puts many cases on the stage that are unlike one another, as quickly as the database takes them: of all sites, of all
 * ages up to two days, with authors who have a history. Gives their keys: reviews, reports, appeals, checks, edits, audits.
 */
export async function stageCases(service: Place, wanted: CasesWanted): Promise<string[]> {
  const { reviews = 0, reports = 0, appeals = 0, checks = 0, edits = 0, audits = 0 } = wanted
  const roles: Role[] = [
    ...Array<Role>(reviews).fill('review'),
    ...Array<Role>(reports).fill('report'),
    ...Array<Role>(appeals).fill('appeal'),
    ...Array<Role>(checks).fill('check'),
    ...Array<Role>(edits).fill('edit'),
    ...Array<Role>(audits).fill('audit'),
  ]
  const accounts = await openAccounts(service, Math.ceil(roles.length / casesOfOne))
  const at = service.clock.now().getTime()
  const past = accounts.flatMap(() => ['past', 'past'] as const)
  const posts = [...roles, ...past].map((role, number): StagedPost => {
    const opened = new Date(at - (5 + ((number * 37) % 1_300)) * minuteMs)
    const kind = kinds[number % kinds.length] as Kind
    const isCopy = role === 'review' && number % copyEvery === copyEvery - 1
    const content = isCopy ? bodyOf(kind, number, `${textOf(number - 1)} Again!`) : bodyOf(kind, number)
    const abusive = policyCategoryIds[number % (policyCategoryIds.length - 1)] as PolicyCategoryId
    return {
      ...{ id: newId('post', opened), role, kind, content, at: opened },
      account_id: accounts[number % accounts.length] as string,
      category: role === 'review' && number % 3 === 0 ? null : abusive,
      removed: role === 'appeal' && number % 2 === 0,
    }
  })
  await insertPosts(service, posts)
  await insertDecisions(service, posts)
  await movePosts(service, posts)
  await punish(service, posts)
  await insertSignatures(service, posts)
  await insertEdits(service, posts)
  await fileReports(service, posts, accounts)
  await fileAppeals(service, posts)
  const made = await checkable(service, posts)
  await drawSamples(service, posts)
  return posts.flatMap(({ id, role }) => {
    const keys: Record<Role, string[]> = {
      review: [`review:${id}:0`],
      report: [`report:${id}:1`],
      appeal: [`appeal:${id}:0`],
      check: [`check:${made.get(id)}`],
      edit: [`review:${id}:1`],
      audit: [`audit:${made.get(id)}`],
      past: [],
    }
    return keys[role]
  })
}

async function openAccounts(service: Place, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < Math.max(1, count); number++) {
    const { id } = await service.createCustomer()
    await service.asOwner('update accounts set name = $2 where id = $1', [
      id,
      accountNames[number % accountNames.length],
    ])
    ids.push(id)
  }
  return ids
}

/** One statement for all of them; the rows travel as JSON. */
const insertPosts = (service: Place, posts: readonly StagedPost[]) =>
  service.asOwner(
    `insert into posts (id, account_id, kind, status, content, facets, created_at)
     select id, account_id, kind, 'queued', content, facets, at
     from jsonb_to_recordset($1) as row (id text, account_id text, kind text, content jsonb, facets jsonb, at timestamptz)`,
    [JSON.stringify(posts.map((post) => ({ ...post, kind: post.kind.name, facets: post.kind.facets(post.content) })))],
  )

const outcomes = {
  review: 'review',
  report: 'publish',
  appeal: 'abuse',
  check: 'abuse',
  edit: 'publish',
  audit: 'publish',
  past: 'publish',
}

async function insertDecisions(service: Place, posts: readonly StagedPost[]): Promise<void> {
  const decisions = posts.flatMap((post, number) => {
    const { id, role, category, at, removed } = post
    const isRefused = role === 'appeal' || role === 'check'
    const named = isRefused ? category : null
    const made = { post_id: id, edit: 0, category: named, reason: named && reasonFor(named), at, scores: {} as object }
    const outcome = removed ? 'remove' : outcomes[role]
    // A removal is a person's, and the rest the model's.
    const first = { ...made, outcome, automated: !removed, actor: removed ? 'operator:console' : 'model:test' }
    if (removed) return [{ ...first, outcome: 'publish', ...byModel, category: null, reason: null }, first]
    const judge = { verdict: isRefused ? 'reject' : role === 'review' ? 'review' : 'accept', category, score: 0.61 }
    const staged = number % 2 === 1 ? ofStages : {}
    const decided = { ...first, scores: { classifier: scoresOf(category, number), judge, ...staged } }
    const edit = {
      ...decided,
      edit: 1,
      outcome: 'review',
      scores: { ...decided.scores, judge: { ...judge, verdict: 'review' } },
    }
    return role === 'edit' ? [decided, edit] : [decided]
  })
  await service.asOwner(
    `insert into moderation_decisions (
       post_id, edit, outcome, category, reason, automated, actor, policy_version, model, model_version, scores, decided_at
     )
     select post_id, edit, outcome, category, reason, automated, actor, $2,
       case when automated then 'test' end, case when automated then '1' end, scores, at
     from jsonb_to_recordset($1) as row (
       post_id text, edit int, outcome decision_outcome, category text, reason text, automated boolean, actor text,
       scores jsonb, at timestamptz
     )`,
    [JSON.stringify(decisions), policy.version],
  )
}

/** What decisions record since there are stages; older ones have the rest. */
const ofStages = { row: 'judge_doubts', thresholds: '2026-11-16.1', rules: { spam: 0.45 }, judged: false }

const byModel = { automated: true, actor: 'model:test' }

const scoresOf = (category: string | null, number: number) =>
  Object.fromEntries(
    policyCategoryIds.map((id, index) => [id, id === category ? 0.74 : ((number * 7 + index * 13) % 30) / 100]),
  )

const statuses = {
  review: 'review',
  report: 'published',
  appeal: 'rejected',
  check: 'rejected',
  edit: 'published',
  audit: 'published',
  past: 'published',
}

async function movePosts(service: Place, posts: readonly StagedPost[]): Promise<void> {
  const move = (moved: readonly StagedPost[], status: (post: StagedPost) => string) =>
    service.asOwner(
      `update posts set status = row.status::post_status, decided_at = row.at, listed = row.status = 'published',
         published_at = case when row.status in ('published', 'removed') then row.at end
       from jsonb_to_recordset($1) as row (id text, status text, at timestamptz) where posts.id = row.id`,
      [JSON.stringify(moved.map((post) => ({ id: post.id, at: post.at, status: status(post) })))],
    )
  await move(posts, ({ role, removed }) => (removed ? 'published' : statuses[role]))
  await move(
    posts.filter(({ removed }) => removed),
    () => 'removed',
  )
}

/** What an abusive post has cost its author: nine times the price and a strike. */
async function punish(service: Place, posts: readonly StagedPost[]): Promise<void> {
  const punished = posts.filter(({ role }) => role === 'appeal' || role === 'check')
  await service.asWorker(async (tx) => {
    for (const { id, account_id: accountId, kind, at } of punished)
      await penalty(tx, { accountId, subject: id, amountMicros: 9 * kind.priceMicros, at })
  })
  await service.asOwner('select add_strike(account, 3) from unnest($1::text[]) account', [
    punished.map(({ account_id }) => account_id),
  ])
}

async function insertSignatures(service: Place, posts: readonly StagedPost[]): Promise<void> {
  const rows = posts.map(({ id, account_id, kind, content, at }) => ({
    ...{ post_id: id, account_id, at },
    ...signatureOf(kind.texts(content)),
  }))
  await service.asOwner(
    `insert into post_signatures (post_id, account_id, words, bands, minhash, created_at)
     select post_id, account_id, words, bands, minhash, at
     from jsonb_to_recordset($1) as row (
       post_id text, account_id text, words int, bands int[], minhash int[], at timestamptz
     )`,
    [JSON.stringify(rows)],
  )
}

/** A change to a published post that waits for a person. */
async function insertEdits(service: Place, posts: readonly StagedPost[]): Promise<void> {
  const edited = posts.filter(({ role }) => role === 'edit')
  const rows = edited.map(({ id, kind, at }, number) => {
    const content = bodyOf(kind, number + 1_000)
    return { id, content, facets: kind.facets(content), at }
  })
  await service.asOwner(
    `insert into post_edits (post_id, number, status, content, facets, submitted_at)
     select id, 1, 'queued', content, facets, at
     from jsonb_to_recordset($1) as row (id text, content jsonb, facets jsonb, at timestamptz)`,
    [JSON.stringify(rows)],
  )
  await service.asOwner("update post_edits set status = 'review' where post_id = any ($1)", [
    edited.map(({ id }) => id),
  ])
}

/** One to four readers of each; some have an account, some write what they think. */
async function fileReports(service: Place, posts: readonly StagedPost[], accounts: readonly string[]) {
  const reports = posts
    .filter(({ role }) => role === 'report')
    .flatMap(({ id, category, at }, number) =>
      Array.from({ length: 1 + (number % 4) }, (_, reader) => ({
        ...{ id: newId('rep', at), post: id, at },
        account: reader % 2 === 1 ? accounts[0] : null,
        category: reader === 2 ? 'spam' : category,
        detail:
          reader === 0
            ? `I lost money with this. <script>alert(${number})</script> See https://proof.example/${number}`
            : null,
      })),
    )
  await service.asOwner(
    `select file_report(id, post, account, category, detail, null, at)
     from jsonb_to_recordset($1) as row (
       id text, post text, account text, category text, detail text, at timestamptz
     )`,
    [JSON.stringify(reports)],
  )
}

async function fileAppeals(service: Place, posts: readonly StagedPost[]): Promise<void> {
  const appeals = posts
    .filter(({ role }) => role === 'appeal')
    .map((post, number) => ({
      ...post,
      message: `It quotes a public notice, and says so.\n\n“${number}” <i>is</i> its number.`,
    }))
  await service.asOwner(
    `insert into appeals (post_id, edit, account_id, message, submitted_at)
     select id, 0, account_id, message, at
     from jsonb_to_recordset($1) as row (id text, account_id text, message text, at timestamptz)`,
    [JSON.stringify(appeals)],
  )
}

/** Every audit is of what was published. */
const drawSamples = (service: Place, posts: readonly StagedPost[]) =>
  service.asOwner(
    `insert into audit_samples (decision_id, post_id, edit, outcome, share, sampled_at)
     select id, post_id, edit, outcome, 0.02, decided_at from moderation_decisions where post_id = any ($1)`,
    [posts.filter(({ role }) => role === 'audit').map(({ id }) => id)],
  )

/** The decision that each check and each audit is about. */
async function checkable(service: Place, posts: readonly StagedPost[]): Promise<Map<string, string>> {
  const rows = await service.asOwner<{ id: string; post_id: string }>(
    'select id::text, post_id from moderation_decisions where post_id = any ($1)',
    [posts.filter(({ role }) => role === 'check' || role === 'audit').map(({ id }) => id)],
  )
  return new Map(rows.map(({ id, post_id }) => [post_id, id]))
}
