import assert from 'node:assert/strict'
import { Broadside } from '../../client/src/index.ts'
import { allDocuments } from '../../src/documents/all-documents.ts'
import { exampleDeployment } from '../../src/documents/deployment.ts'
import { writeDocuments } from '../../src/documents/write-documents.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { decideReview, removePost } from '../../src/moderation/decide-by-person.ts'
import { newcomer, type Service, startService } from './service.ts'
import { authors, type Draft, drafts, type Month, type Role } from './staged/index.ts'

/** A post that was put on a site, whatever became of it. */
export type StagedPost = Draft & { id: string }

export type StagedSite = {
  kind: Kind
  baseUrl: string
  posts: readonly StagedPost[]
  /** The post that plays this role; none where the kind has no such thing. */
  inRole: (role: Role) => StagedPost | undefined
}

export type StagedSites = Awaited<ReturnType<typeof stageSites>>

/** When the posts of a month are submitted. The pages never see another clock. */
const beginnings: Record<Month, string> = {
  August: '2026-08-20T09:00:00Z',
  October: '2026-10-09T09:00:00Z',
  November: '2026-11-14T09:00:00Z',
}

/**
 * The whole service with all its documents and with posts of every kind, state and script on all four sites, submitted
 * through the API and judged by the model.
 */
export async function stageSites() {
  await using starting = new AsyncDisposableStack()
  const service = starting.use(await startService({ judges: true, searchesPerAddress: 1_000 }))
  const { baseUrls, accountPageUrl, pagesDirectory } = service
  await writeDocuments(allDocuments({ ...exampleDeployment, sites: baseUrls, accountPageUrl }), pagesDirectory)
  const staged = new Map<string, StagedPost[]>(kinds.map(({ name }) => [name, []]))
  const keys = await createAuthors(service)
  for (const month of ['August', 'October', 'November'] as const) {
    setClock(service, beginnings[month])
    await runNow(service, 'expire-posts')
    for (const { name } of kinds) {
      const submitted = await submitAll(service, name, keys, drafts[name]?.[month] ?? [])
      staged.get(name)?.push(...submitted)
    }
    await service.settle()
    await publishWhatWaits(service)
  }
  const sites = kinds.map((kind) => siteOf(kind, String(baseUrls[kind.name]), staged.get(kind.name) ?? []))
  for (const site of sites) await playRoles(service, site, keys)
  await service.settle()
  await runNow(service, 'count-moderation-days')
  await assertStates(service, sites)
  const stack = starting.move()
  return { service, sites, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

type Keys = Record<keyof typeof authors, string>

async function createAuthors(service: Service): Promise<Keys> {
  const keys: Partial<Keys> = {}
  for (const [author, name] of Object.entries(authors)) {
    const { body } = await new Broadside({ baseUrl: service.baseUrl }).createAccount({ ...newcomer, name })
    await service.credit(body.id, 50_000_000)
    keys[author as keyof Keys] = body.api_key
  }
  return keys as Keys
}

function setClock({ clock }: Service, time: string): void {
  clock.setOffset(0)
  clock.setOffset(Date.parse(time) - clock.now().getTime())
}

async function runNow(service: Service, job: 'expire-posts' | 'count-moderation-days'): Promise<void> {
  await service.asWorker((tx) => enqueue(tx, job, {}))
  await service.settle()
}

async function submitAll(service: Service, kind: string, keys: Keys, all: readonly Draft[]): Promise<StagedPost[]> {
  const staged: StagedPost[] = []
  for (const draft of all) {
    const { body } = await service.client(keys[draft.by], kind).submitPost(draft.body as never)
    assert.ok('id' in body)
    staged.push({ ...draft, id: body.id })
  }
  return staged
}

/** What the model leaves to a person: the hostile ones, mostly. */
async function publishWhatWaits(service: Service): Promise<void> {
  const waiting = await service.asOwner<{ id: string }>("select id from posts where status = 'review'")
  for (const { id } of waiting)
    await service.asOperator((tx, sites) => decideReview(tx, sites, { ...publish, ...person(service, id) }))
  await service.settle()
}

const publish = { outcome: 'publish', category: null } as const
const person = ({ clock }: Service, postId: string) => ({ postId, actor: 'operator:stage', at: clock.now() })

const siteOf = (kind: Kind, baseUrl: string, posts: readonly StagedPost[]): StagedSite => ({
  ...{ kind, baseUrl, posts },
  inRole: (role) => posts.find((post) => post.role === role),
})

/** What happens to a post after it was published. */
async function playRoles(service: Service, { kind, inRole }: StagedSite, keys: Keys): Promise<void> {
  const [edited, deleted, removed] = [inRole('edited'), inRole('deleted'), inRole('removed')]
  assert.ok(edited && deleted && removed, kind.name)
  const clientOf = ({ by }: StagedPost) => service.client(keys[by], kind.name)
  await clientOf(edited).editPost({ id: edited.id }, { topics: ['changed-notices'] })
  await clientOf(deleted).deletePost({ id: deleted.id })
  await service.asOperator((tx, sites) =>
    removePost(tx, sites, { ...person(service, removed.id), category: 'low_quality' }),
  )
}

/** A post that was refused, or whose edit was, would leave the stage without a page that the tests speak of. */
async function assertStates(service: Service, sites: readonly StagedSite[]): Promise<void> {
  const ends: Partial<Record<Role, string>> = { deleted: 'deleted', removed: 'removed' }
  const rows = await service.asOwner<{ id: string; status: string; listed: boolean; edited_at: Date | null }>(
    'select id, status, listed, edited_at from posts',
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  for (const { id, role, body } of sites.flatMap(({ posts }) => posts)) {
    const post = found.get(id)
    assert.equal(post?.status, (role && ends[role]) ?? 'published', JSON.stringify(body))
    if (role === 'edited') assert.ok(post?.edited_at, JSON.stringify(body))
    if (role === 'over') assert.equal(post?.listed, false)
  }
}
