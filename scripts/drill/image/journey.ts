import { setTimeout as pause } from 'node:timers/promises'
import { within } from './network.ts'

type Visitor = {
  /** The namespace, and the address of the gateway with its port inside the container. */
  outside: string
  gateway: string
  certificate: string
  site: string
  /** Runs a sub-command of the operator and returns what it printed. */
  operate: (command: readonly string[]) => Promise<string>
}

type Reply = { status: number; body: string }

/** The journey of the README, through TLS and the gateway: from no account to the first published post. */
export async function walkJourney(visitor: Visitor): Promise<{ postUrl: string; seconds: number }> {
  const ask = asking(visitor)
  const startedAt = performance.now()
  const { body: status } = expect(await ask('/v1/status'), 200)
  console.log(`GET /v1/status: ${(JSON.parse(status) as { status: string }).status}`)
  const account = JSON.parse(
    expect(await ask('/v1/accounts', { name: 'Harbour Notices', email: 'owner@example.com', accept_terms: true }), 201)
      .body,
  ) as { id: string; api_key: string; account_url: string }
  console.log(`account ${account.id}`)
  console.log(`credit: ${await visitor.operate(['credit', account.id, '5000000', '--reason', 'welcome'])}`)
  const authorization = `authorization: Bearer ${account.api_key}`
  const text = { text: 'The ferry to Hiiumaa leaves at nine.', topics: ['ferries'] }
  expect(await ask('/v1/posts?dry_run=true', text, authorization), 200)
  const post = JSON.parse(expect(await ask('/v1/posts', text, authorization, 'idempotency-key: first'), 202).body) as {
    id: string
  }
  const decided = await untilDecided(async () => {
    const { body } = expect(await ask(`/v1/posts/${post.id}`, undefined, authorization), 200)
    return (JSON.parse(body) as { status: string }).status
  })
  if (decided === 'review') console.log(`decide: ${await visitor.operate(['decide', post.id, 'publish'])}`)
  const path = `/p/${post.id}`
  await untilDecided(async () => ((await ask(path)).status === 200 ? 'published' : 'queued'))
  const { body: page } = expect(await ask(path), 200)
  if (!page.includes('Hiiumaa')) throw new Error(`The page ${path} does not show the post.`)
  const { body: search } = expect(await ask('/v1/search?q=ferries'), 200)
  if (!search.includes(post.id)) throw new Error('The search does not find the post.')
  await untilDecided(async () => ((await ask('/topics/ferries/')).body.includes('Hiiumaa') ? 'published' : 'queued'))
  await untilDecided(async () => ((await ask('/')).body.includes('Hiiumaa') ? 'published' : 'queued'))
  console.log(`ledger verify: ${await visitor.operate(['ledger', 'verify'])}`)
  return { postUrl: `${visitor.site}${path}`, seconds: (performance.now() - startedAt) / 1_000 }
}

/** curl as a visitor would call it, but for the address, which no public name server has. */
function asking({ outside, gateway, certificate, site }: Visitor) {
  const { hostname } = new URL(site)
  return async (path: string, body?: object, ...headers: string[]): Promise<Reply> => {
    const all = body ? ['content-type: application/json', ...headers] : headers
    const output = await within(
      ...([outside, 'curl', '--silent', '--show-error', '--max-time', '60', '--cacert', certificate] as const),
      ...['--connect-to', `${hostname}:443:${gateway}`, '--write-out', '\n%{http_code}'],
      ...all.flatMap((header) => ['--header', header]),
      ...(body ? ['--data', JSON.stringify(body)] : []),
      `${site}${path}`,
    )
    const at = output.lastIndexOf('\n')
    return { status: Number(output.slice(at + 1)), body: output.slice(0, at) }
  }
}

function expect(reply: Reply, status: number): Reply {
  if (reply.status === status) return reply
  throw new Error(`Expected ${status}, got ${reply.status}: ${reply.body.slice(0, 500)}`)
}

/** A machine that is busy with other work may need minutes. */
async function untilDecided(look: () => Promise<string>): Promise<string> {
  for (let tries = 0; tries < 240; tries += 1) {
    const status = await look()
    if (status !== 'queued') return status
    await pause(1_000)
  }
  throw new Error('The post was not decided and published within four minutes.')
}
