import { setTimeout as pause } from 'node:timers/promises'
import { within } from './network.ts'

export type Visitor = {
  /** The namespace, and the address of the gateway with its port inside the container. */
  outside: string
  gateway: string
  certificate: string
  sites: readonly string[]
  ownerPage: string
  desk: string
  /** A file for the cookies of the owner’s browser. */
  cookies: string
  /** Runs a sub-command of the operator and returns what it printed. */
  operate: (command: readonly string[]) => Promise<string>
  /** Everything that the mail catcher received. */
  readMail: () => Promise<{ to: string[]; text: string }[]>
}

export type Journey = { postId: string; postUrl: string; text: string; apiKey: string; seconds: number }

const owner = { name: 'Harbour Notices', email: 'owner@example.com' }

/** The journey of docs/local.md, through TLS and the gateway: from no account to the first published post. */
export async function walkJourney(visitor: Visitor): Promise<Journey> {
  const site = visitor.sites[0] ?? ''
  const startedAt = performance.now()
  const { status } = await readJson<{ status: string }>(visitor, `${site}/v1/status`)
  console.log(`GET /v1/status: ${status}`)
  await openHosts(visitor)
  const account = await readJson<{ id: string; api_key: string; account_url: string }>(
    ...([visitor, `${site}/v1/accounts`, { json: { ...owner, accept_terms: true }, expected: 201 }] as const),
  )
  console.log(`account ${account.id}`)
  await signIn(visitor, account.account_url)
  console.log('the owner signed in with the code from the email')
  console.log(`credit: ${await visitor.operate(['credit', account.id, '5000000', '--reason', 'welcome'])}`)
  const text = 'The ferry to Hiiumaa leaves at nine.'
  const postId = await publish(visitor, { text, apiKey: account.api_key, idempotencyKey: 'my-first-post' })
  await untilShown(visitor, { postId, text })
  console.log(`ledger verify: ${await visitor.operate(['ledger', 'verify'])}`)
  const seconds = (performance.now() - startedAt) / 1_000
  return { postId, postUrl: `${site}/p/${postId}`, text, apiKey: account.api_key, seconds }
}

/** What must be there after the machine was off: the post, the owner’s session, the balance, and the way to a new post. */
export async function returnAfterReboot(visitor: Visitor, { postId, postUrl, text, apiKey }: Journey): Promise<void> {
  const { body: page } = await request(visitor, postUrl)
  if (!page.includes(text)) throw new Error(`${postUrl} does not show the post after the reboot.`)
  console.log(`the first post is still readable at ${postUrl}`)
  const record = await readJson<{ status: string }>(visitor, `${visitor.sites[0]}/v1/posts/${postId}`, keyed(apiKey))
  if (record.status !== 'published') throw new Error(`The first post is ${record.status} after the reboot.`)
  await openHosts(visitor)
  const { body: account } = await request(visitor, `${visitor.ownerPage}/account`, { isOwner: true })
  if (!account.includes(owner.name)) throw new Error('The owner is no longer signed in after the reboot.')
  const second = 'Ferries to Vormsi take forty minutes and carry bicycles.'
  const secondId = await publish(visitor, { text: second, apiKey, idempotencyKey: 'my-second-post' })
  await untilShown(visitor, { postId: secondId, text: second })
  console.log(`a second post was published: ${visitor.sites[0]}/p/${secondId}`)
  console.log(`ledger verify: ${await visitor.operate(['ledger', 'verify'])}`)
}

/** The first page of each host. A worker writes those of the sites when it starts. */
async function openHosts(visitor: Visitor): Promise<void> {
  const pages = [...visitor.sites.map((site) => `${site}/`), `${visitor.ownerPage}/`, `${visitor.desk}/sign-in`]
  for (const page of pages) await until(page, async () => (await call(visitor, page)).status === 200)
  console.log(`the first page of ${pages.length} hosts: 200`)
}

/** The visitor trusts only the newest certificate. */
export async function untilTrusted(visitor: Visitor): Promise<void> {
  await until('the renewed certificate', () =>
    call(visitor, `${visitor.sites[0]}/`).then(
      ({ status }) => status === 200,
      () => false,
    ),
  )
}

/** Opens the link, requests a code, reads it in the mail catcher and enters it. */
async function signIn(visitor: Visitor, accountUrl: string): Promise<void> {
  const { ownerPage } = visitor
  const send = async (path: string, shown: string, fields: Record<string, string> = {}) => {
    const csrf = /name="csrf" value="([^"]+)"/.exec(shown)?.[1] ?? ''
    const headers = [`origin: ${ownerPage}`, 'sec-fetch-site: same-origin']
    return (await request(visitor, `${ownerPage}${path}`, { isOwner: true, form: { csrf, ...fields }, headers })).body
  }
  const first = (await request(visitor, accountUrl, { isOwner: true })).body
  const asked = await send('/sign-in/code', first)
  let code = ''
  await until('the email with the code', async () => {
    const mail = (await visitor.readMail()).findLast(({ to }) => to.includes(owner.email))
    code = /^\d{6}$/m.exec(mail?.text ?? '')?.[0] ?? ''
    return code !== ''
  })
  const account = await send('/sign-in', asked, { code })
  if (!account.includes(owner.name)) throw new Error(`The owner page does not show the account:\n${account}`)
}

type Publication = { text: string; apiKey: string; idempotencyKey: string }

/** Asks for the price, submits the post twice with one idempotency key, and waits until it is published. */
async function publish(visitor: Visitor, { text, apiKey, idempotencyKey }: Publication): Promise<string> {
  const posts = `${visitor.sites[0]}/v1/posts`
  const { headers } = keyed(apiKey)
  const json = { text, topics: ['ferries'] }
  await request(visitor, `${posts}?dry_run=true`, { json, headers })
  const submission = { json, headers: [...headers, `idempotency-key: ${idempotencyKey}`], expected: 202 }
  const { id } = await readJson<{ id: string }>(visitor, posts, submission)
  const again = await readJson<{ id: string }>(visitor, posts, submission)
  if (again.id !== id) throw new Error('A retry with the same idempotency key made a second post.')
  let status = ''
  await until('the decision', async () => {
    status = (await readJson<{ status: string }>(visitor, `${posts}/${id}`, { headers })).status
    return status !== 'queued'
  })
  if (status === 'review') console.log(`decide: ${await visitor.operate(['decide', id, 'publish'])}`)
  else if (status !== 'published') throw new Error(`The post is ${status}.`)
  return id
}

/** Where docs/local.md says that a published post is. */
async function untilShown(visitor: Visitor, { postId, text }: { postId: string; text: string }): Promise<void> {
  const pages = [`/p/${postId}`, '/', '/topics/ferries/', '/topics/ferries/index.json', '/v1/posts']
  for (const path of [...pages, '/v1/search?q=ferries'])
    await until(`the post on ${path}`, async () => {
      const { status, body } = await call(visitor, `${visitor.sites[0]}${path}`)
      return status === 200 && body.includes(path.startsWith('/v1/') ? postId : text)
    })
}

type Call = {
  json?: object
  form?: Record<string, string>
  headers?: readonly string[]
  /** Keeps cookies and follows redirects, as a browser does. */
  isOwner?: boolean
  expected?: number
}
type Reply = { status: number; body: string }

const keyed = (apiKey: string) => ({ headers: [`authorization: Bearer ${apiKey}`] })

async function readJson<Body>(visitor: Visitor, url: string, options?: Call): Promise<Body> {
  return JSON.parse((await request(visitor, url, options)).body) as Body
}

async function request(visitor: Visitor, url: string, options: Call = {}): Promise<Reply> {
  const reply = await call(visitor, url, options)
  const { expected = 200 } = options
  if (reply.status === expected) return reply
  throw new Error(`${url}: expected ${expected}, got ${reply.status}: ${reply.body.slice(0, 500)}`)
}

/** curl as a visitor would call it, but for the address, which no public name server has. */
async function call(visitor: Visitor, url: string, options: Call = {}): Promise<Reply> {
  const { json, form, headers = [], isOwner } = options
  const output = await within(
    ...([visitor.outside, 'curl', '--silent', '--show-error', '--max-time', '60'] as const),
    ...['--cacert', visitor.certificate, '--connect-to', `::${visitor.gateway}`, '--write-out', '\n%{http_code}'],
    ...(json ? ['--header', 'content-type: application/json', '--data', JSON.stringify(json)] : []),
    ...Object.entries(form ?? {}).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`]),
    ...headers.flatMap((header) => ['--header', header]),
    ...(isOwner ? ['--location', '--cookie', visitor.cookies, '--cookie-jar', visitor.cookies] : []),
    url,
  )
  const at = output.lastIndexOf('\n')
  return { status: Number(output.slice(at + 1)), body: output.slice(0, at) }
}

/** A machine that is busy with other work may need minutes. */
async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 240; tries += 1) {
    if (await look()) return
    await pause(1_000)
  }
  throw new Error(`Waited four minutes for ${what}.`)
}
