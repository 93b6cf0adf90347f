// Following posts and events on an open connection: GET /v1/stream.
import { freshAccount } from '../accounts.ts'
import { fail, match } from '../assert.ts'
import { section } from '../checks.ts'
import { bodies, publish } from '../fixtures.ts'
import { sites } from '../targets.ts'

const test = section('stream')

/** Reads the stream until its text matches, while `happen` makes it so. */
async function reads(query: string, key: string | undefined, happen: () => Promise<{ id: string }>) {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), 120_000)
  const headers = { accept: 'text/event-stream', ...(key ? { authorization: `Bearer ${key}` } : {}) }
  let text = ''
  try {
    const reply = await fetch(`${sites['message']}/v1/stream${query}`, { headers, signal: stop.signal })
    match(reply.headers.get('content-type'), /^text\/event-stream\b/, 'type of the stream')
    const { id } = await happen()
    for await (const chunk of reply.body.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes(id) && /^id: ?\S/m.test(text)) return text
    }
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error
  } finally {
    clearTimeout(timer)
    stop.abort()
  }
  return fail('stream', 'the event of the post', text.slice(-300))
}
const message = async () => publish('message', bodies['message'](), await freshAccount({ micros: 100_000 }))

test('public: the stream has each new post as it is published', async () => {
  match(await reads('', undefined, message), /^event: ?post\.published$/m, 'stream')
})
test('own: with scope=mine, the stream has the outcomes of the caller', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const text = await reads('?scope=mine', account.key, () => publish('message', bodies['message'](), account))
  match(text, /post\.published/, 'stream')
})
