// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { suite, test } from 'node:test'
import { asAdministrator } from '../../../src/platform/database/database-setup.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { waitFor } from '../../../tooling/services/state.ts'

type Misbehaviour = (response: ServerResponse, question: string) => void

/** A model that seems healthy and answers every request like this. */
async function startWrongModel(misbehave: Misbehaviour) {
  const server = createServer(async (request, response) => {
    if (request.url === '/healthz') response.end('{"status":"up"}')
    else misbehave(response, await text(request))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A post of each account, and what the model does when it is asked about it. */
const misbehaviours: Record<string, Misbehaviour> = {
  'Break the chain, or the islands sink.': (response) =>
    response.end('I think the post is fine, publish it! {"verdict":"accept"}'),
  'Break the chain, and seven years of rain follow the ferry.': (response) => response.writeHead(422).end('{}'),
  'Break the chain, then nobody at the harbour finds a husband.': () => {},
}

const startAsking = (url: string, timeoutSeconds = 1) =>
  startService({
    judges: true,
    settings: { MODEL_URL: url, JUDGE_URL: url, MODEL_TIMEOUT_SECONDS: String(timeoutSeconds) },
  })

test('a post that the rules reject is decided and refunded while the model is down, and does not start it', async () => {
  await using service = await startAsking('http://127.0.0.1:1')
  const account = await service.createCustomer(100_000)
  const { body } = await account.client.submitPost({ text: 'Dear {{name}}, the ferry to {{island}} leaves at nine.' })
  assert.ok('id' in body)
  const record = async () => (await account.client.getPost(body.id)).body
  const status = async () => {
    const found = await record()
    return 'status' in found ? found.status : 'public'
  }
  await waitFor(async () => (await status()) !== 'queued', 'a decision')
  assert.equal(await status(), 'rejected')
  assert.equal((await account.client.getAccount()).body.balance_micros, 100_000)
  const [decision] = await service.asOwner<{ actor: string; model: string | null }>(
    'select actor, model from moderation_decisions where post_id = $1',
    [body.id],
  )
  assert.deepEqual(decision, { actor: 'system:rules', model: null })
  const [model] = await service.asOwner<{ state: string }>('select state from model_status')
  assert.equal(model?.state, 'idle')
})

test('a post that the rules reject never reaches the model', async () => {
  let asked = 0
  await using model = await startWrongModel((response) => {
    asked++
    response.writeHead(503).end('{}')
  })
  await using service = await startAsking(model.url)
  const account = await service.createCustomer(100_000)
  const running = async () =>
    (await service.asOwner<{ state: string }>('select state from model_status'))[0]?.state === 'running'
  await waitFor(running, 'the model to run')
  await account.client.submitPost({ text: 'Dear {{name}}, the ferry to {{island}} leaves at nine.' })
  await service.settle()
  assert.equal(asked, 0)
})

// Concurrently: the pauses before the retries take long.
suite('a model that does not answer', { concurrency: true }, () => {
  test('one that talks nonsense, refuses or never answers publishes nothing: after a few tries the post goes to review', async () => {
    await using model = await startWrongModel((response, question) => {
      const [, misbehave] = Object.entries(misbehaviours).find(([post]) => question.includes(post)) ?? []
      assert.ok(misbehave, question)
      misbehave(response, question)
    })
    await using service = await startAsking(model.url)
    await Promise.all(Object.keys(misbehaviours).map((post) => assertReviewed(service, post)))
    assert.ok(!service.logLines.join('').includes('the chain'), 'the log has none of the texts')
  })

  test('Invariant 6: no transaction is open during a model call', async () => {
    const asked = Promise.withResolvers<void>()
    await using model = await startWrongModel(() => asked.resolve())
    await using service = await startAsking(model.url, 300)
    const account = await service.createCustomer(100_000)
    await account.client.submitPost({ text: 'The ferry to the islands leaves at nine.' })
    await asked.promise
    // As the administrator: other roles cannot see the state of the worker's sessions.
    const countOpen = () =>
      asAdministrator(service.database.adminUrl, async (admin) => {
        const { rowCount } = await admin.query(`select from pg_stat_activity where datname = current_database()
          and usename = 'broadside_worker' and state like 'idle in transaction%'`)
        return Number(rowCount)
      })
    // Short queue transactions come and go. One around the model call would show up in every poll.
    let open = 1
    for (let looks = 0; looks < 20 && open > 0; looks++) open = await countOpen()
    assert.equal(open, 0, 'a transaction stays open')
  })

  test('a busy or misconfigured model is waited for, and sends no post to review', async () => {
    let asked = 0
    await using model = await startWrongModel((response) => {
      asked++
      response.writeHead(asked % 2 ? 503 : 401).end('{}')
    })
    await using service = await startAsking(model.url)
    const account = await service.createCustomer(100_000)
    const { body } = await account.client.submitPost({ text: 'The ferry to the islands leaves at nine.' })
    assert.ok('id' in body)
    await waitFor(async () => asked >= 10, 'five tries of both stages')
    const [row] = await service.asOwner<{ status: string; model_failures: number }>(
      'select status, model_failures from posts where id = $1',
      [body.id],
    )
    assert.deepEqual(row, { status: 'queued', model_failures: 0 })
  })
})

async function assertReviewed(service: Service, post: string): Promise<void> {
  const account = await service.createCustomer(100_000)
  const { body } = await account.client.submitPost({ text: post })
  assert.ok('id' in body)
  const { id } = body
  const status = async () => {
    const { body: record } = await account.client.getPost(id)
    return 'status' in record ? record.status : 'public'
  }
  await waitFor(async () => (await status()) !== 'queued', 'a decision')
  assert.equal(await status(), 'review', post)
  const decisions = await service.asOwner(
    `select actor, automated, category, (scores #>> '{rules,spam}')::float > 0.5 has_rules from moderation_decisions where post_id = $1`,
    [id],
  )
  const ofRules = { category: 'spam', has_rules: true }
  assert.deepEqual(decisions, [{ actor: 'system:model-gave-no-answer', automated: true, ...ofRules }])
  assert.equal((await account.client.getAccount()).body.balance_micros, 80_000, 'charged once, not punished')
}
