import type { Kind } from '../../../src/kinds/index.ts'
import { upholdAppeal } from '../../../src/moderation/appeals/settle-appeal.ts'
import { applyDecision } from '../../../src/moderation/decisions/apply-decision.ts'
import { removePost } from '../../../src/moderation/decisions/decide-by-person.ts'
import { inTransaction } from '../../../src/platform/database/database.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { expirePosts } from '../../../src/posts/expiry.ts'
import { lockPost, markDeleted } from '../../../src/posts/status/change-status.ts'
import { purgeWithdrawals } from '../../../src/publishing/jobs/purge-withdrawals.ts'
import type { Service } from '../../../tooling/environment/service.ts'

/** Pseudo-random numbers, reproducible by seed. */
export function seededRandom(seed: number) {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return { below, pick: <T>(items: readonly T[]): T => items[below(items.length)] as T }
}

type Random = ReturnType<typeof seededRandom>

type Post = { id: string; kind: Kind; state: 'published' | 'removed'; edits: number }

const topics = Array.from({ length: 25 }, (_, index) => `topic-${index}`)
const places = [
  { country: 'PT', state: 'PT-11' },
  { country: 'PT', state: 'PT-13' },
  { country: 'KE' },
  { country: 'NL', state: 'NL-UT' },
]

/** A body of the kind that differs from its examples in everything that lists, texts and times show. */
export function randomBody(kind: Kind, random: Random, at: Date): object {
  const members: Record<string, unknown> = { ...random.pick(kind.examples), topics: pickTopics(random) }
  if ('location' in kind.content.shape) members['location'] = random.pick(places)
  if ('text' in members) members['text'] = `${members['text']} Number ${random.below(1_000_000)} <b>&amp;</b>.`
  if ('title' in members) members['title'] = `A title with the number ${random.below(1_000_000)}`
  if ('starts_at' in members) {
    const start = at.getTime() + random.below(40) * 86_400_000
    const iso = (time: number) =>
      new Date(time)
        .toISOString()
        .replace('.000Z', 'Z')
        .replace(/\.\d+Z/, 'Z')
    Object.assign(members, { timezone: 'UTC', starts_at: iso(start), ends_at: iso(start + 7_200_000) })
  }
  return kind.body.parse(members)
}

const pickTopics = (random: Random) => [...new Set(Array.from({ length: random.below(4) }, () => random.pick(topics)))]

type Fixture = { service: Service; kinds: readonly Kind[]; accountId: string; random: Random; time: { at: Date } }

/** The possible changes to a post, through the interfaces that change statuses. */
function makeActs({ service, kinds, accountId, random, time }: Fixture) {
  const decide = (postId: string, edit: number) =>
    service.asWorker((tx, sites) =>
      applyDecision(tx, sites, {
        ...{ postId, edit, outcome: 'publish', category: null, from: ['queued'], at: time.at },
        by: { automated: true, actor: 'model:test' },
      }),
    )
  const person = (postId: string) => ({ postId, actor: 'operator:test', at: time.at })
  return {
    publish: async (): Promise<Post> => {
      const kind = random.pick(kinds)
      const id = newId('post', time.at)
      const body = randomBody(kind, random, time.at)
      await service.asOwner(
        `insert into posts (id, account_id, kind, status, content, facets, created_at) values ($1, $2, $3, 'queued', $4, $5, $6)`,
        [id, accountId, kind.name, JSON.stringify(body), JSON.stringify(kind.facets(body)), time.at],
      )
      await decide(id, 0)
      return { id, kind, state: 'published', edits: 0 }
    },
    edit: async (post: Post) => {
      const body = randomBody(post.kind, random, time.at)
      post.edits++
      await service.asOwner(
        `insert into post_edits (post_id, number, status, content, facets, submitted_at) values ($1, $2, 'queued', $3, $4, $5)`,
        [post.id, post.edits, JSON.stringify(body), JSON.stringify(post.kind.facets(body)), time.at],
      )
      await decide(post.id, post.edits)
    },
    remove: async (post: Post) => {
      await service.asOperator((tx, sites) => removePost(tx, sites, { ...person(post.id), category: 'low_quality' }))
      post.state = 'removed'
    },
    restore: async (post: Post) => {
      await service.asOperator((tx, sites) => upholdAppeal(tx, sites, person(post.id)))
      post.state = 'published'
    },
    erase: (post: Post) =>
      inTransaction(service.db, async (tx) => {
        const locked = await lockPost(tx, post.id)
        if (locked) await markDeleted(tx, post.kind, locked, time.at)
      }),
    passTime: async () => {
      time.at = new Date(time.at.getTime() + random.below(3) * 86_400_000)
      await expirePosts(service.workerDb, time.at)
      await purgeWithdrawals(service.workerDb, time.at)
    },
  }
}

/** A random history of many posts: several changes at a time, to different posts, while the worker writes pages. */
export function pageHistory(service: Service, kinds: readonly Kind[], accountId: string, seed: number) {
  const random = seededRandom(seed)
  const time = { at: new Date('2026-03-01T00:00:00Z') }
  // The worker's scheduled jobs must not change the history while it is compared.
  service.clock.setOffset(time.at.getTime() - Date.now())
  const acts = makeActs({ service, kinds, accountId, random, time })
  const counts: Record<string, number> = {}

  /** One sequence of changes, with its own posts. */
  const makeLine = () => {
    const posts: Post[] = []
    const publish = async () => void posts.push(await acts.publish())
    const onPost = (state: Post['state'], act: (post: Post) => Promise<void>) => async () => {
      const fitting = posts.filter((post) => post.state === state)
      return fitting.length === 0 ? publish() : act(random.pick(fitting))
    }
    const erase = async (post: Post) => {
      await acts.erase(post)
      posts.splice(posts.indexOf(post), 1)
    }
    const choices: Record<string, [weight: number, act: () => Promise<void>]> = {
      publish: [56, publish],
      edit: [14, onPost('published', acts.edit)],
      remove: [8, onPost('published', acts.remove)],
      restore: [4, onPost('removed', acts.restore)],
      delete: [13, onPost('published', erase)],
      'delete what was removed': [2, onPost('removed', erase)],
      'time passes': [3, acts.passTime],
    }
    const tickets = Object.entries(choices).flatMap(([name, [weight]]) => Array.from({ length: weight }, () => name))
    return async () => {
      time.at = new Date(time.at.getTime() + random.below(60_000))
      const name = random.pick(tickets)
      counts[name] = (counts[name] ?? 0) + 1
      await choices[name]?.[1]()
    }
  }
  const lines = Array.from({ length: 3 }, makeLine)

  return {
    counts,
    go: async (steps: number) => {
      let left = steps
      const follow = async (next: () => Promise<void>) => {
        while (left-- > 0) await next()
      }
      await Promise.all(lines.map(follow))
    },
  }
}
