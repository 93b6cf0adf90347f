// Sign-in for apps: OAuth 2.1 at the owner page, and the MCP server of all sites: decisions 15, docs/features.md.
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freshEmail, waitForMail } from '../accounts.ts'
import { equal, hasStatus, includes, isOkJson } from '../assert.ts'
import { Failure, section, show } from '../checks.ts'
import { request } from '../http.ts'
import { messageOf } from '../mcp-client.ts'
import { Browser, codeForm } from '../owner-page.ts'
import { accountPage } from '../targets.ts'

const test = section('apps')

const listTools = (key?: string) =>
  request('POST', `${accountPage}/mcp`, {
    key,
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  })
test('mcp-without-token: decisions 15: the MCP server of all sites asks for a token and says where to get one', async () => {
  const reply = await listTools()
  hasStatus(reply, 401)
  const [, metadata] = /resource_metadata="([^"]+)"/.exec(reply.header('www-authenticate')) ?? []
  const { resource, authorization_servers } = isOkJson(await request('GET', metadata))
  equal(resource, `${accountPage}/mcp`, 'resource')
  equal(authorization_servers[0], accountPage, 'authorization_servers')
})

/** Goes through the pages as a new owner does: email, code, name, terms, "Connect". Gives back where the app is called. */
async function connect(url: string, callback: string): Promise<URL> {
  const browser = new Browser()
  const email = freshEmail()
  let page = await browser.open(url)
  for (let step = 0; step < 8 && !page.url.startsWith(callback); step++) {
    const form = codeForm(page) ?? page.forms.find(({ method }) => method === 'POST')
    if (!form) throw new Failure(`sign-in: expected a form, came ${page.url} ${show(page.text)}`)
    const names = form.fields.map(({ name }) => name)
    const values: Record<string, string> = {}
    if (names.includes('email')) values['email'] = email
    if (names.includes('code')) values['code'] = /^\d{6}$/m.exec((await waitForMail(email)).text)?.[0] ?? ''
    if (names.includes('name')) Object.assign(values, { name: 'Acceptance', terms: 'on' })
    const button = form.buttons.find(({ text }) => /^connect/i.test(text)) ?? form.buttons[0]
    page = await browser.submit(form, values, { button })
  }
  includes(page.url, callback, 'page at the end of the sign-in')
  return new URL(page.url)
}

test('sign-in: decisions 15: an app signs in with OAuth 2.1 and lists tools with its token; a code and a refresh token work once', async () => {
  const app = createServer((_, reply) => reply.end('<h1>The app</h1>')).listen(0, '127.0.0.1')
  await new Promise((resolve) => app.once('listening', resolve))
  try {
    const redirect_uri = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`
    const issuer = isOkJson(await request('GET', `${accountPage}/.well-known/oauth-authorization-server`))
    const registration = {
      client_name: 'Acceptance',
      redirect_uris: [redirect_uri],
      token_endpoint_auth_method: 'none',
    }
    const { client_id } = isOkJson(await request('POST', issuer.registration_endpoint, { body: registration }), 201)
    const code_verifier = randomBytes(32).toString('base64url')
    const resource = `${accountPage}/mcp`
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri,
      resource,
      state: 'a state',
      scope: 'read publish',
      code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
      code_challenge_method: 'S256',
    })
    const { searchParams } = await connect(`${issuer.authorization_endpoint}?${query}`, redirect_uri)
    equal(searchParams.get('state'), 'a state', 'state')
    equal(searchParams.get('iss'), issuer.issuer, 'iss')
    const token = (fields: Record<string, string>) =>
      request('POST', issuer.token_endpoint, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ client_id, resource, ...fields }).toString(),
      })
    const exchange = { grant_type: 'authorization_code', code: searchParams.get('code'), redirect_uri, code_verifier }
    const first = isOkJson(await token(exchange))
    const { tools } = messageOf(await listTools(first.access_token)).result
    includes(JSON.stringify(tools), 'publish_post', 'tools of the app')
    const second = isOkJson(await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token }))
    hasStatus(await listTools(second.access_token), 200)
    hasStatus(await token(exchange), 400)
  } finally {
    app.close()
  }
})
