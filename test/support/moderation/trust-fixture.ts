import assert from 'node:assert/strict'
import { openModel } from '../../../src/bin/commands/processes/model.ts'
import { sitesFromSettings } from '../../../src/bin/sites.ts'
import { thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import { moderatePost } from '../../../src/moderation/pipeline/moderate-post.ts'
import { createLogger } from '../../../src/platform/observability/logger.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { quietModel } from '../../../tooling/models/stub-models.ts'

const { publish, publish_trusted } = thresholds.local
const slight = (publish + publish_trusted) / 2

/** Slightly doubts every text with the word "doubtful", and detects nothing in any other. */
const doubtfulModel = {
  ...quietModel,
  score: async (texts: readonly string[]) =>
    (await quietModel.score(texts)).map((answer, index) => ({
      ...answer,
      overall: texts[index]?.includes('doubtful') ? slight : 0,
    })),
}

export type Judged = { status: string; row?: string; standing?: string; because?: string[] }

/** Accounts whose posts are moderated one by one, without a judge, by a model that doubts on demand. No worker runs. */
export async function openTrustFixture(service: Service, stack: AsyncDisposableStack) {
  const logger = createLogger('silent', 'test')
  stack.use(await openModel(service.settings, service.surroundings, { local: doubtfulModel }))
  const url = String(service.settings.MODEL_URL)
  const stages = { local: { url, name: doubtfulModel.name, timeoutMs: 10_000 }, judge: null }

  /** One round of the worker, for a post or one of its edits; returns the outcome. */
  async function judge(postId: string, edit = 0, draw = 1): Promise<Judged> {
    const sites = sitesFromSettings(service.baseUrls)
    const shared = { db: service.workerDb, clock: service.clock, logger, sites, model: stages }
    await moderatePost({ ...shared, observe: () => {}, draw: () => draw }, { post_id: postId, edit })
    const [row] = await service.asOwner<Judged>(
      `select coalesce(edits.status::text, posts.status::text) as status, scores->>'row' as row,
         scores->>'standing' as standing, scores->'because' as because
       from posts left join post_edits edits on edits.post_id = posts.id and edits.number = $2
       join moderation_decisions made on made.post_id = posts.id and made.edit = $2 and automated where posts.id = $1`,
      [postId, edit],
    )
    assert(row, 'the post was not decided')
    return row
  }

  let number = 0
  /** A text that is similar to no other. */
  const text = (words: string) =>
    `${words} ${Array.from({ length: 12 }, () => `w${(number++ * 7919).toString(36)}`).join(' ')}.`

  async function submit(apiKey: string, words: string): Promise<string> {
    const { body } = await service.client(apiKey).submitPost({ text: text(words) })
    assert.ok('id' in body)
    return body.id
  }

  async function openAccount() {
    const account = await service.createCustomer(50_000_000)
    await service.asOwner('update accounts set email_verified_at = $2 where id = $1', [account.id, service.clock.now()])
    return account
  }

  return {
    judge,
    text,
    submit,
    openAccount,
    publish: async (apiKey: string, words: string) => judge(await submit(apiKey, words)),
    /** An account that has just become trusted. */
    async openTrusted() {
      const account = await openAccount()
      for (let post = 0; post < 5; post++) {
        const { status } = await judge(await submit(account.api_key, 'A plain notice about the harbour'))
        assert.equal(status, 'published')
      }
      advance(service, 7)
      return account
    },
  }
}

/** Days that have passed on the service's clock. */
const passed = new WeakMap<Service, number>()

export function advance(service: Service, days: number): void {
  const total = (passed.get(service) ?? 0) + days
  passed.set(service, total)
  service.clock.setOffset(total * 86_400_000)
}
