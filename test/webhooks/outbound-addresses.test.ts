import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { type Outbound, OutboundError, openOutbound } from '../../src/platform/outbound-http/open-outbound.ts'
import { decideAddresses } from '../../src/platform/outbound-http/public-addresses.ts'
import { reservedIpv4, reservedIpv6 } from '../../src/platform/outbound-http/reserved-ranges.ts'
import { startDnsServer } from '../../tooling/network/dns-server.ts'
import {
  makeCertificates,
  pickPrivateAddress,
  pickReceiverAddress,
  receiverRange,
  startListener,
  startReceiver,
} from '../../tooling/network/https-receiver.ts'
import { patienceMs } from '../../tooling/services/state.ts'
import { hostileUrls, hostileZones } from '../support/webhooks/hostile-destinations.ts'

const post = { body: Buffer.from('{}'), headers: {}, timeoutMs: patienceMs, maxBytes: 1_000 }
const fails =
  (...kinds: OutboundError['kind'][]) =>
  (error: unknown) =>
    error instanceof OutboundError && kinds.includes(error.kind)

const name = 'hooks.example.com'
const url = `https://${name}/`
const [open, trap] = [pickReceiverAddress(), pickPrivateAddress()]
const { ca, key, cert } = makeCertificates([name])

/** Posts once, and returns how often it tried to open a connection. */
async function tryToPost(outbound: Outbound, to: string) {
  let opened = 0
  const channel = outbound.openChannel(to, {
    maxConnections: 1,
    mayConnect: () => {
      opened += 1
      return true
    },
  })
  const outcome = await channel.post(post).catch((error: unknown) => error)
  await channel.close()
  return { outcome, opened }
}

describe('a URL is refused at registration and again at the post:', () => {
  const outbound = openOutbound({ dnsServers: ['127.0.0.1:1'] })
  after(() => outbound.close())

  for (const [kind, hostile] of Object.entries(hostileUrls)) {
    test(kind, async () => {
      const fault = await outbound.findFault(hostile)
      assert.match(fault ?? 'none', /^[A-Z][^\n]{10,150}\.$/)
      assert.doesNotMatch(fault ?? '', /not found/, 'the name was looked up')
      const { outcome, opened } = await tryToPost(outbound, hostile)
      assert.ok(fails('bad_url', 'address_refused')(outcome))
      assert.equal(opened, 0)
    })
  }
})

describe('a name is refused at registration and again at the post:', { concurrency: true }, () => {
  const traps: Awaited<ReturnType<typeof startListener>>[] = []
  before(async () => {
    traps.push(await startListener(trap), await startListener('::1'), await startListener(open))
  })
  after(async () => {
    for (const one of traps) await one[Symbol.asyncDispose]()
    assert.deepEqual(
      traps.map((one) => one.connections()),
      [0, 0, 0],
    )
  })

  for (const [kind, zone] of Object.entries(hostileZones)) {
    test(kind, async () => {
      await using dns = await startDnsServer(zone(name, trap, open))
      const outbound = openOutbound({ dnsServers: [dns.server], testRanges: [receiverRange] })
      assert.match((await outbound.findFault(url)) ?? 'none', /all public|not found/)
      const { outcome, opened } = await tryToPost(outbound, url)
      await outbound.close()
      assert.ok(fails('address_refused', 'name_not_resolved')(outcome))
      assert.equal(opened, 0)
      assert.ok(dns.questions.length >= 2, 'the test’s own name server was asked')
    })
  }
})

describe('a name with changing answers', () => {
  test('is called while it is public, and never after it becomes private', async () => {
    await using dns = await startDnsServer({ [name]: { a: [open] } })
    await using receiver = await startReceiver({ address: open, key, cert }, (_request, response) => response.end())
    await using inside = await startListener(trap)
    const outbound = openOutbound({
      dnsServers: [dns.server],
      testRanges: [receiverRange],
      certificateAuthorities: ca,
    })
    assert.equal(await outbound.findFault(url), null)
    assert.deepEqual((await tryToPost(outbound, url)).outcome, { status: 200, retryAfter: null })
    dns.setZone({ [name]: { a: [trap] } })
    assert.ok(fails('address_refused')((await tryToPost(outbound, url)).outcome))
    assert.deepEqual([receiver.connections(), inside.connections()], [1, 0])
    await outbound.close()
  })

  test('is called at the checked address, however often the answer alternates', async () => {
    await using dns = await startDnsServer({ [name]: (_question, asked) => ({ a: [asked % 2 === 0 ? open : trap] }) })
    await using receiver = await startReceiver({ address: open, key, cert }, (_request, response) => response.end())
    await using inside = await startListener(trap)
    const outbound = openOutbound({
      dnsServers: [dns.server],
      testRanges: [receiverRange],
      certificateAuthorities: ca,
    })
    const outcomes = []
    for (let round = 0; round < 20; round += 1) outcomes.push((await tryToPost(outbound, url)).outcome)
    assert.equal(outcomes.filter(fails('address_refused')).length, 10)
    assert.deepEqual([receiver.connections(), inside.connections()], [10, 0])
    assert.equal(dns.questions.filter(({ type }) => type === 'A').length, 20, 'one lookup for each connection')
    await outbound.close()
  })

  test('is resolved without the hosts file, which knows localhost', async () => {
    await using dns = await startDnsServer({})
    const outbound = openOutbound({ dnsServers: [dns.server] })
    assert.match((await outbound.findFault('https://localhost.localdomain/')) ?? '', /not found/)
    assert.deepEqual(new Set(dns.questions.map((question) => question.name)), new Set(['localhost.localdomain']))
    await outbound.close()
  })
})

describe('the ranges', () => {
  const rules = decideAddresses({})
  const ipv4Spellings: readonly ((parts: number[], value: number) => string)[] = [
    (parts) => parts.join('.'),
    (_parts, value) => `${value}`,
    (_parts, value) => `0x${value.toString(16)}`,
    (_parts, value) => `0${value.toString(8)}`,
    (parts) => parts.map((part) => `0x${part.toString(16).toUpperCase()}`).join('.'),
    (parts) => parts.map((part) => `000${part.toString(8)}`).join('.'),
    ([a, b, c, d]) => `${a}.0x${b?.toString(16)}.${(c ?? 0) * 256 + (d ?? 0)}`,
    ([a], value) => `${a}.${value % 2 ** 24}`,
  ]
  const ipv6Spellings: readonly ((groups: string[]) => string)[] = [
    (groups) => groups.join(':'),
    (groups) => groups.map((group) => group.padStart(4, '0').toUpperCase()).join(':'),
    (groups) => new URL(`https://[${groups.join(':')}]`).hostname.slice(1, -1),
    (groups) => `${groups.slice(0, 6).join(':')}:${dotted(groups.slice(6))}`,
  ]
  const dotted = (groups: string[]) =>
    [...Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')].join('.')

  /** Any address inside the range, as a number. */
  const within = ({ range }: { range: string }, bits: number, base: (address: string) => bigint) => {
    const [address = '', length] = range.split('/')
    return fc.bigInt(0n, 2n ** BigInt(bits - Number(length)) - 1n).map((offset) => base(address) + offset)
  }
  const numberOfIpv4 = (address: string) => address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n)
  const numberOfIpv6 = (address: string) => {
    const [head = '', tail = ''] = new URL(`https://[${address}]`).hostname.slice(1, -1).split('::')
    const groups = (part: string) => part.split(':').filter((group) => group !== '')
    const filler = Array<string>(8 - groups(head).length - groups(tail).length).fill('0')
    const all = [...groups(head), ...filler, ...groups(tail)]
    return BigInt(`0x${all.map((group) => group.padStart(4, '0')).join('')}`)
  }

  test('no address inside a refused IPv4 range passes, in any notation', async () => {
    const outbound = openOutbound()
    const address = fc.constantFrom(...reservedIpv4).chain((range) => within(range, 32, numberOfIpv4))
    await fc.assert(
      fc.asyncProperty(address, fc.constantFrom(...ipv4Spellings), async (number, spell) => {
        const value = Number(number)
        const parts = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
        assert.notEqual(rules.findReserved(parts.join('.')), null)
        assert.match((await outbound.findFault(`https://${spell(parts, value)}/`)) ?? 'none', /all public/)
      }),
      { numRuns: 2_000 },
    )
    await outbound.close()
  })

  test('no address inside a refused IPv6 range passes, in any notation', async () => {
    const outbound = openOutbound()
    const address = fc.constantFrom(...reservedIpv6).chain((range) => within(range, 128, numberOfIpv6))
    await fc.assert(
      fc.asyncProperty(address, fc.constantFrom(...ipv6Spellings), async (number, spell) => {
        const groups = number.toString(16).padStart(32, '0').match(/.{4}/g) ?? []
        const shortened = groups.map((group) => group.replace(/^0{1,3}/, ''))
        assert.notEqual(rules.findReserved(shortened.join(':')), null)
        assert.match((await outbound.findFault(`https://[${spell(shortened)}]/`)) ?? 'none', /all public/)
      }),
      { numRuns: 2_000 },
    )
    await outbound.close()
  })

  test('each is named, and the addresses next to it are public', () => {
    const named = {
      '127.0.0.1': 'loopback',
      // The last addresses of networks: the tests above would follow the table if it made one smaller.
      '10.255.255.255': 'private use',
      '100.127.255.255': 'shared by carriers',
      '169.254.255.255': 'link-local, cloud metadata',
      '172.31.255.255': 'private use',
      '192.168.255.255': 'private use',
      'fdff:ffff::1': 'unique local, cloud metadata',
      'febf:ffff::1': 'link-local',
      '168.63.129.16': 'Azure’s own services',
      '2001::1': 'Teredo',
      '2001:1::1': 'protocol assignments',
      '64:ff9b::1': 'NAT64',
      '4000::1': 'not global',
      'not an address': 'not an address',
    }
    for (const [address, name] of Object.entries(named)) assert.equal(rules.findReserved(address), name)
    const neighbours = ['9.255.255.255', '11.0.0.0', '100.63.255.255', '128.0.0.0', '172.32.0.0', '223.255.255.255']
    for (const address of [...neighbours, '168.63.129.17', '2001:200::1', '2606:4700:4700::1111', '2a00::5efe:1']) {
      assert.equal(rules.findReserved(address), null, address)
    }
  })

  test('a test range exempts only its own address family, and the operator’s own range takes precedence', () => {
    const exempt = decideAddresses({ testRanges: ['127.77.0.0/16'] })
    assert.equal(exempt.findReserved('127.77.0.1'), null)
    assert.equal(exempt.findReserved('127.78.0.1'), 'loopback')
    assert.equal(exempt.findReserved('::ffff:127.77.0.1'), 'IPv4-mapped')
    const refused = decideAddresses({
      testRanges: ['127.77.0.0/16'],
      refusedRanges: ['127.77.1.0/24', '2606:4700::/32'],
    })
    assert.equal(refused.findReserved('127.77.1.1'), 'refused by the operator')
    assert.equal(refused.findReserved('127.77.2.1'), null)
    assert.equal(refused.findReserved('2606:4700::1'), 'refused by the operator')
  })
})
