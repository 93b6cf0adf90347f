import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { type ApiClient, openApiClient } from '../../../tooling/clients/api-client.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { newcomer, type Service } from '../../../tooling/environment/service.ts'
import { patienceMs } from '../../../tooling/services/state.ts'

type Customer = { id: string; api_key: string; client: ApiClient }

/** A client that outlasts a busy machine. It repeats only what has no second effect. */
export const patientClient = (baseUrl: string, apiKey?: string) =>
  openApiClient({ baseUrl, ...(apiKey && { apiKey }), maxRetries: 8, timeoutMs: patienceMs })

async function createCustomer(service: Service): Promise<Customer> {
  const { body } = await patientClient(service.baseUrl).createAccount(newcomer)
  await service.credit(body.id, 10_000_000)
  return { id: body.id, api_key: body.api_key, client: patientClient(service.baseUrl, body.api_key) }
}

/** A post with a word of its own, by which pages and search find it. */
export type Marked = { id: string; word: string }

/** The times at which posts and payments were acknowledged. */
export type Acknowledged = { posts: Date[]; payments: Date[]; erasures: Date[] }
export const nothingAcknowledged = (): Acknowledged => ({ posts: [], payments: [], erasures: [] })

/** A word that looks like a name: random letters would count as poor quality. */
const newWord = () => {
  const syllable = () => `${draw([...'bdfghklmnprstvz'])}${draw([...'aeiou'])}`
  return `${draw([...'BDKLMNRST'])}a${Array.from({ length: 5 }, syllable).join('')}`
}

const subjects = 'ferry lighthouse bakery library orchard market bridge harbour school theatre tram garden'.split(' ')
const verbs = 'opens closes moves waits returns shines rests starts'.split(' ')
const places =
  'beside the old mill,near the north pier,behind the town hall,under the green clock,along the river'.split(',')
const times = 'on Monday morning,after the rain,before sunrise,at noon on Friday,during the winter weeks'.split(',')
const draw = (words: readonly string[]) => words[randomInt(words.length)]

/** Different enough from the others that it is no near-duplicate. */
const sentenceWith = (word: string) =>
  `The ${word} ${draw(subjects)} ${draw(verbs)} ${draw(places)} ${draw(times)}, and the ${draw(subjects)} ${draw(verbs)} ${draw(places)} ${draw(times)}.`

export type Stage = {
  service: Service
  /** Runs a command of the operator on the live service. */
  operate: (...args: string[]) => Promise<unknown>
  acknowledged: Acknowledged
}

/** What customers and the operator do in the drill. Every act is acknowledged before the next begins. */
function openActs({ service, operate, acknowledged }: Stage) {
  const submit = async ({ client }: Customer, text = ''): Promise<Marked> => {
    const word = newWord()
    const { body } = await client.submitPost({ text: `${sentenceWith(word)} ${text}`.trim() })
    assert.ok('id' in body)
    acknowledged.posts.push(new Date())
    return { id: body.id, word }
  }
  // By command, so that the audit log has entries to verify.
  const pay = async ({ id }: Customer) => {
    await operate('credit', id, '1000000', '--reason', 'drill')
    acknowledged.payments.push(new Date())
  }
  return {
    submit,
    pay,
    deletePost: async ({ client }: Customer, { id }: Marked) => {
      await client.deletePost(id)
      acknowledged.erasures.push(new Date())
    },
    removePost: async ({ id }: Marked) => {
      await operate('remove', id, 'spam')
      acknowledged.erasures.push(new Date())
    },
    deleteWebhook: async ({ client }: Customer, id: string) => {
      await client.deleteWebhook(id)
      acknowledged.erasures.push(new Date())
    },
    closeAccount: async ({ id }: Customer) => {
      const owner = await openOwner(service, id)
      const { status } = await owner.post('/account/deletion', { word: 'DELETE' })
      assert.ok(status < 400, `closing the account returned ${status}`)
      acknowledged.erasures.push(new Date())
    },
  }
}

export type Cast = Awaited<ReturnType<typeof actBefore>>
const postsOfAuthor = 12

/** Acts before the chosen second. The restored database must have all of them. */
export async function actBefore(stage: Stage) {
  const { service } = stage
  const acts = openActs(stage)
  const [author, leaver] = [await createCustomer(service), await createCustomer(service)]
  const kept: Marked[] = []
  for (let count = 0; count < postsOfAuthor; count++) kept.push(await acts.submit(author))
  await acts.pay(author)
  const [toDelete, toRemove, erasedBefore] = [
    await acts.submit(author),
    await acts.submit(author),
    await acts.submit(author),
  ]
  const [ofLeaver, waiting] = [await acts.submit(leaver), await acts.submit(leaver, 'verdict-review')]
  const { body: webhook } = await author.client.createWebhook({ url: 'https://agent.example/drill' })
  await service.settle()
  await assertPublished(service, [...kept, toDelete, toRemove, erasedBefore, ofLeaver])
  assert.equal(await statusOf(service, waiting.id), 'review')
  await acts.deletePost(author, erasedBefore)
  await service.settle()
  return { author, leaver, kept, toDelete, toRemove, erasedBefore, ofLeaver, waiting, webhookId: webhook.id }
}

async function assertPublished(service: Service, posts: readonly Marked[]): Promise<void> {
  for (const { id } of posts) assert.equal(await statusOf(service, id), 'published', 'the drill needs a published post')
}

async function statusOf(service: Service, id: string) {
  const [post] = await service.asOwner<{ status: string }>('select status from posts where id = $1', [id])
  return post?.status
}

/** Acts after the chosen second. A restore loses the posts and payments, and must not lose the erasures. */
export async function actAfter(stage: Stage, cast: Cast): Promise<Marked[]> {
  const { service } = stage
  const acts = openActs(stage)
  const lost: Marked[] = []
  for (let count = 0; count < 5; count++) lost.push(await acts.submit(cast.author))
  for (let count = 0; count < 3; count++) await acts.pay(cast.author)
  await acts.deletePost(cast.author, cast.toDelete)
  await acts.removePost(cast.toRemove)
  await acts.deleteWebhook(cast.author, cast.webhookId)
  await acts.closeAccount(cast.leaver)
  lost.push(await acts.submit(cast.author))
  await service.settle()
  await assertPublished(service, lost)
  return lost
}
