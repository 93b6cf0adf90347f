import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { documentPages } from '../../src/documents/pages/index.ts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { devicePath } from '../../src/oauth/device.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { signedIn } from '../support/oauth/sign-in.ts'

let service: Service
/** The commands of the page about OAuth, in order. */
let commands: string[]
before(async () => {
  service = await startService()
  const { baseUrls: sites, accountPageUrl } = service
  const page = documentPages({ ...exampleDeployment, sites, accountPageUrl }).get('messages/docs/oauth.md') ?? ''
  commands = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => String(text))
})
after(() => service?.[Symbol.asyncDispose]())

/** The values that the reader has exported. */
const environment: Record<string, string> = {}

/** What curl prints for the next command of the page that is not an export. */
async function next(): Promise<Record<string, unknown>> {
  let command = commands.shift()
  while (command?.startsWith('export')) command = commands.shift()
  assert.ok(command)
  const run = promisify(execFile)
  const { stdout } = await run('sh', ['-euc', command], { env: { ...process.env, ...environment } })
  return JSON.parse(stdout.replace(/^event: message\ndata: /, ''))
}

test('a reader who follows the page signs a device in, calls a tool, renews the token and revokes it', async () => {
  const { client_id } = await next()
  environment['CLIENT_ID'] = String(client_id)
  const { device_code, user_code, verification_uri } = await next()
  assert.equal(verification_uri, `${service.accountPageUrl}${devicePath}`)
  environment['DEVICE_CODE'] = String(device_code)
  const poll = commands.find((command) => command.includes('$DEVICE_CODE'))
  assert.equal((await next())['error'], 'authorization_pending')

  const customer = await service.createCustomer(1_000_000)
  const browser = signedIn(service, (await openOwner(service, customer.id)).token)
  const { location } = await browser.submit(devicePath, { code: String(user_code) })
  await browser.get(String(location))
  const choice = { decision: 'allow', posting: 'publish', cap: '1.00' }
  assert.equal((await browser.submit(String(location), choice)).location, '/connect/device-connected')

  commands.unshift(String(poll))
  const tokens = await next()
  assert.equal(tokens['scope'], 'read publish')
  environment['ACCESS_TOKEN'] = String(tokens['access_token'])
  environment['REFRESH_TOKEN'] = String(tokens['refresh_token'])
  const { result } = (await next()) as { result?: { structuredContent?: { id: string } } }
  assert.equal(result?.structuredContent?.id, customer.id)

  const [refresh] = commands
  const renewed = await next()
  assert.notEqual(renewed['refresh_token'], tokens['refresh_token'])
  environment['REFRESH_TOKEN'] = String(renewed['refresh_token'])
  assert.deepEqual(await next(), {})
  assert.equal(commands.length, 0)
  commands.push(String(refresh))
  assert.equal((await next())['error'], 'invalid_grant', 'the session has ended')
})
