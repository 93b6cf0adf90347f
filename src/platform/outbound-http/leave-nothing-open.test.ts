import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { startDnsServer } from '../../../tooling/network/dns-server.ts'
import {
  makeCertificates,
  pickReceiverAddress,
  receiverRange,
  startReceiver,
} from '../../../tooling/network/https-receiver.ts'
import { patienceMs } from '../../../tooling/services/state.ts'
import { OutboundError, openOutbound } from './open-outbound.ts'

const name = 'hooks.example.com'
const url = `https://${name}/`
const { ca, key, cert } = makeCertificates([name])
const post = { body: Buffer.from('{}'), headers: {}, timeoutMs: patienceMs, maxBytes: 1_000 }
const always = { maxConnections: 2, mayConnect: () => true }
const breaksOff = (error: unknown) => error instanceof OutboundError && error.kind === 'connection_broken'

/**
 * Posts once from a separate process, closes nothing, and prints the result. A connection left open would keep the process alive for four seconds with an idle event loop. On a slow machine the process may also run that long, but its event loop is not idle.
 */
async function postFromProcess(options: object, environment: Record<string, string>) {
  const program = `
    const { openOutbound } = await import(${JSON.stringify(import.meta.resolve('./open-outbound.ts'))})
    const outbound = openOutbound(${JSON.stringify(options)})
    const channel = outbound.openChannel('${url}', { maxConnections: 1, mayConnect: () => true })
    const post = { body: Buffer.from('{}'), headers: {}, timeoutMs: ${patienceMs}, maxBytes: 1_000 }
    const outcome = await channel.post(post).catch((fault) => fault)
    process.stdout.write(outcome.kind ?? String(outcome.status))
    const begin = performance.eventLoopUtilization()
    const idleMs = () => performance.eventLoopUtilization(begin).idle
    process.on('exit', () => process.stdout.write(idleMs() < 2_000 ? '' : ', and stayed'))`
  const run = promisify(execFile)
  const env = { ...process.env, NODE_NO_WARNINGS: '1', ...environment }
  return (await run(process.execPath, ['--input-type=module', '--eval', program], { env, timeout: patienceMs })).stdout
}

describe('the environment', () => {
  test('cannot set a proxy or turn off checks, and idle connections do not keep the process alive', async () => {
    let proxied = 0
    const proxy = createServer(() => {
      proxied += 1
    }).listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const address = pickReceiverAddress()
    await using dns = await startDnsServer({ [name]: { a: [address] } })
    await using _receiver = await startReceiver({ address, key, cert }, (_request, response) => response.end())
    const proxyUrl = `http://127.0.0.1:${(proxy.address() as { port: number }).port}`
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy']
    const environment = {
      ...Object.fromEntries(names.map((variable) => [variable, proxyUrl])),
      NO_PROXY: '',
      NODE_USE_ENV_PROXY: '1',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    }
    const options = { testRanges: [receiverRange], dnsServers: [dns.server] }
    assert.deepEqual(
      await Promise.all([
        postFromProcess({ ...options, certificateAuthorities: ca }, environment),
        postFromProcess(options, environment),
      ]),
      ['200', 'tls_failed'],
    )
    assert.equal(proxied, 0)
    proxy.close()
  })
})

describe('closing', () => {
  async function stage(answersAtOnce: boolean) {
    const address = pickReceiverAddress()
    const dns = await startDnsServer({ [name]: { a: [address] }, 'silent.example.com': 'silence' })
    const answers: (() => void)[] = []
    const receiver = await startReceiver({ address, key, cert }, (_request, response) => {
      if (answersAtOnce) response.end()
      else answers.push(() => response.end())
    })
    const outbound = openOutbound({ testRanges: [receiverRange], dnsServers: [dns.server], certificateAuthorities: ca })
    const left = () =>
      new Promise<number>((resolve) => receiver.server.getConnections((_error, count) => resolve(count)))
    return {
      ...{ outbound, receiver, answers },
      /** Resolves when the receiver has no open connections. */
      async untilLeft() {
        while ((await left()) > 0) await new Promise(setImmediate)
      },
      [Symbol.asyncDispose]: async () => {
        await outbound.close()
        await receiver[Symbol.asyncDispose]()
        await dns[Symbol.asyncDispose]()
      },
    }
  }

  test('a channel releases its connections and accepts no more posts', async () => {
    await using there = await stage(true)
    const channel = there.outbound.openChannel(url, always)
    await Promise.all([channel.post(post), channel.post(post)])
    await channel.close()
    await there.untilLeft()
    await assert.rejects(channel.post(post), (error) => error instanceof OutboundError)
    await channel.close()
  })

  test('a channel lets active and waiting posts finish', async () => {
    await using there = await stage(false)
    const channel = there.outbound.openChannel(url, { ...always, maxConnections: 1 })
    const posts = [channel.post(post), channel.post(post)]
    await once(there.receiver.server, 'request')
    const closed = channel.close()
    there.answers.shift()?.()
    await once(there.receiver.server, 'request')
    there.answers.shift()?.()
    assert.deepEqual(
      (await Promise.all(posts)).map(({ status }) => status),
      [200, 200],
    )
    await closed
    await there.untilLeft()
  })

  test('everything aborts active posts at any step', async () => {
    await using there = await stage(false)
    const channel = there.outbound.openChannel(url, { ...always, maxConnections: 1 })
    const silent = there.outbound.openChannel('https://silent.example.com/', always)
    const posts = [channel.post(post), channel.post(post), silent.post(post)]
    await once(there.receiver.server, 'request')
    const ended = Promise.all(posts.map((one) => assert.rejects(one, breaksOff)))
    await there.outbound.close()
    await ended
    await there.untilLeft()
  })
})
