// The platform ceiling: spec Limits (100 requests a second, bursts of 200, everything together); decisions 10. Comes last.
import { freshAccount } from '../accounts.ts'
import { equal, hasStatus, holds, isProblem } from '../assert.ts'
import { section, skip } from '../checks.ts'
import { bodies, published, submit } from '../fixtures.ts'
import { at, freshAddress, request, sleep } from '../http.ts'
import { kinds, sites } from '../targets.ts'

const test = section('gateway')

const count = (replies, status) => replies.filter((reply) => reply.status === status).length
const quick = (makers) => Promise.all(makers.map((make) => make()))
const times = (number, make) => Array.from({ length: number }, (_, index) => () => make(index))
/** The bucket is empty again after three seconds without anybody. */
const rest = () => sleep(3_500)
const unpaced = { paced: false, timeoutMs: 18_000 }

async function burst(makers) {
  await rest()
  const started = performance.now()
  const replies = await quick(makers)
  const seconds = (performance.now() - started) / 1000
  return { replies, seconds }
}
/** A ceiling is only met by a burst that is faster than it. */
function wasQuick({ replies, seconds }) {
  if (count(replies, 429) === 0 && replies.length < 200 + 100 * seconds)
    skip(`${replies.length} requests took ${seconds.toFixed(1)} s, too long to exceed 200 + 100 a second`)
}

test('burst: spec Limits: 600 quick requests: at least 200 succeed and some are 429', async () => {
  const result = await burst(times(600, () => at('message').get('/v1/status', unpaced)))
  const { replies, seconds } = result
  equal(count(replies, 200) + count(replies, 429), 600, 'answers that are 200 or 429')
  holds(count(replies, 200) >= 200, 'answers 200', 'at least 200', count(replies, 200))
  wasQuick(result)
  holds(count(replies, 429) > 0, 'answers 429', 'some', 0)
  // 200 at once and 100 for each second that it took, with a tenth to spare.
  holds(
    count(replies, 200) <= (200 + 100 * (seconds + 1)) * 1.1,
    'answers 200',
    `about 200 + 100 a second for ${seconds.toFixed(1)} s`,
    count(replies, 200),
  )
})
test('refusal: spec Errors: the refusal of the gateway is 429 as problem+json (decisions 10: platform_busy)', async () => {
  const result = await burst(times(600, (index) => at(kinds[index % 4]).get('/v1/status', unpaced)))
  wasQuick(result)
  const refused = result.replies.filter(({ status }) => status === 429)
  holds(refused.length > 0, 'answers 429', 'some', 0)
  // The gateway may not know a request id, and its document may be a file: instance is not asked for.
  for (const reply of refused.slice(0, 20)) isProblem(reply, 429, 'platform_busy', { instance: false })
})
test('all-sites-together: spec Limits: the ceiling is of all sites together: 150 at each of the four at once meet it', async () => {
  const result = await burst(kinds.flatMap((kind) => times(150, () => at(kind).get('/v1/status', unpaced))))
  wasQuick(result)
  holds(count(result.replies, 429) > 0, 'answers 429', 'some', 0)
})
test('all-clients-together: spec Limits: the ceiling is of all clients together: 150 from each of four addresses at once meet it', async () => {
  const addresses = []
  for (let index = 0; index < 4; index++) addresses.push(await freshAddress())
  if (addresses.includes(undefined)) skip('this machine has one address only')
  const result = await burst(
    addresses.flatMap((from) => times(150, () => at('message').get('/v1/status', { ...unpaced, from }))),
  )
  wasQuick(result)
  holds(count(result.replies, 429) > 0, 'answers 429', 'some', 0)
})
test('mcp-counts-too: spec Limits: /mcp is under the same ceiling: 190 there and 190 at /v1 at once meet it', async () => {
  const mcp = () =>
    request('POST', `${sites.message}/mcp`, {
      ...unpaced,
      headers: { accept: 'application/json, text/event-stream' },
      body: { jsonrpc: '2.0', id: 1, method: 'ping' },
    })
  const result = await burst([...times(190, mcp), ...times(190, () => at('message').get('/v1/status', unpaced))])
  wasQuick(result)
  holds(count(result.replies, 429) > 0, 'answers 429', 'some', 0)
})
test('static-never: spec Endpoints 6: static paths are not rate limited: 800 quick requests are all answered', async () => {
  const post = await published.message()
  const paths = [
    '/index.json',
    '/feed.xml',
    '/llms.txt',
    '/',
    `/p/${post.id}`,
    `/p/${post.id}.json`,
    '/openapi.yml',
    '/mcp/server-card',
  ]
  const { replies } = await burst(times(800, (index) => at('message').get(paths[index % paths.length], unpaced)))
  const wrong = replies.filter(({ status }) => status !== 200)
  equal(
    wrong
      .map((reply) => `${reply.url} ${reply.status}`)
      .slice(0, 5)
      .join(' | '),
    '',
  )
})
test('static-while-busy: spec Limits: pages are read while the API refuses', async () => {
  const api = times(600, () => at('message').get('/v1/status', unpaced))
  const pages = times(200, (index) =>
    at(kinds[index % 4]).get(['/index.json', '/', '/policy.json'][index % 3], unpaced),
  )
  const { replies } = await burst([...api, ...pages])
  equal(count(replies.slice(600), 200), 200, 'pages answered 200')
})
test('refused-is-not-charged: spec Limits: what the gateway refuses is not charged: 30 posts in the middle of a burst', async () => {
  const account = await freshAccount({ micros: 600_000 })
  const noise = times(600, () => at('message').get('/v1/status', unpaced))
  const posts = times(30, async (index) => {
    await sleep(20 + index * 10)
    return submit('message', bodies.message(), account, unpaced)
  })
  const { replies } = await burst([...noise, ...posts])
  const answers = replies.slice(600)
  equal(count(answers, 202) + count(answers, 429), 30, 'answers that are 202 or 429')
  await rest()
  equal(await account.balance(), 600_000 - 20_000 * count(answers, 202), 'balance_micros')
})
test('recovers: spec Limits: the ceiling is a rate: three seconds later everything is answered', async () => {
  await quick(times(400, () => at('message').get('/v1/status', unpaced)))
  await rest()
  for (let time = 0; time < 60; time++) hasStatus(await request('GET', `${sites.message}/v1/status`), 200)
})
test('below-the-ceiling: spec Limits: 55 requests a second for three seconds are all answered', async () => {
  await rest()
  const replies = []
  for (let batch = 0; batch < 3; batch++) {
    const second = sleep(1_000)
    replies.push(...(await quick(times(55, () => at('event').get('/v1/status', unpaced)))))
    await second
  }
  equal(count(replies, 200), 165, 'answers 200')
})
