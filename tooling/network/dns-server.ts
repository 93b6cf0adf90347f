import { createSocket, type RemoteInfo } from 'node:dgram'
import { once } from 'node:events'

export type Records = { a?: readonly string[]; aaaa?: readonly string[]; cname?: string; txt?: readonly string[] }
/** The answer of a name server. `nonsense` is bytes that are not DNS. */
export type DnsAnswer = Records | 'nxdomain' | 'servfail' | 'refused' | 'silence' | 'nonsense'
export type DnsQuestion = { name: string; type: 'A' | 'AAAA' | 'TXT' | 'other' }
/**
 * Keyed by name, in lower case without the final dot. A function receives the number of earlier queries of this type.
 */
export type Zone = Record<string, DnsAnswer | ((question: DnsQuestion, asked: number) => DnsAnswer)>

/** A name server over UDP with configured answers. Unknown names do not exist. */
export async function startDnsServer(zone: Zone) {
  let current = zone
  const questions: DnsQuestion[] = []
  const socket = createSocket('udp4')
  socket.on('message', (message: Buffer, peer: RemoteInfo) => {
    const question = readQuestion(message)
    const asked = questions.filter(({ name, type }) => name === question.name && type === question.type).length
    questions.push(question)
    const reply = writeReply(message, question, (name) => {
      const entry = current[name] ?? 'nxdomain'
      return typeof entry === 'function' ? entry(question, asked) : entry
    })
    if (reply) socket.send(reply, peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    server: `127.0.0.1:${socket.address().port}`,
    questions,
    setZone: (zone: Zone) => {
      current = zone
    },
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}

const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const
const codes = { nxdomain: 3, servfail: 2, refused: 5 } as const
const headerLength = 12

function readQuestion(message: Buffer): DnsQuestion {
  const labels: string[] = []
  let at = headerLength
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const code = message.readUInt16BE(at + 1)
  const named = { [types.A]: 'A', [types.AAAA]: 'AAAA', [types.TXT]: 'TXT' } as const
  const type = named[code as keyof typeof named] ?? 'other'
  return { name: labels.join('.').toLowerCase(), type }
}

function writeReply(message: Buffer, { name, type }: DnsQuestion, answerOf: (name: string) => DnsAnswer) {
  const records: Buffer[] = []
  let answer = answerOf(name)
  let owner = name
  // Puts the whole chain of names into one reply, as a resolver does.
  for (let steps = 0; typeof answer === 'object' && answer.cname !== undefined && steps < 16; steps += 1) {
    records.push(writeRecord(owner, types.CNAME, writeName(answer.cname)))
    owner = answer.cname
    answer = answerOf(owner)
  }
  if (answer === 'silence') return null
  if (answer === 'nonsense') return Buffer.from('this is no answer')
  if (typeof answer === 'object') {
    if (type === 'A') for (const one of answer.a ?? []) records.push(writeRecord(owner, types.A, writeIpv4(one)))
    if (type === 'AAAA')
      for (const one of answer.aaaa ?? []) records.push(writeRecord(owner, types.AAAA, writeIpv6(one)))
    if (type === 'TXT') for (const one of answer.txt ?? []) records.push(writeRecord(owner, types.TXT, writeText(one)))
  }
  const questionEnd = headerLength + name.length + (name === '' ? 1 : 2) + 4
  const header = Buffer.from(message.subarray(0, headerLength))
  header.writeUInt16BE(0x8180 | (typeof answer === 'string' ? codes[answer] : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, message.subarray(headerLength, questionEnd), ...records])
}

function writeRecord(owner: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([writeName(owner), fixed, data])
}

const writeName = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ])

/** A TXT record consists of parts of up to 255 bytes. */
const writeText = (text: string) =>
  Buffer.concat(
    (text.match(/.{1,255}/g) ?? ['']).map((part) =>
      Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]),
    ),
  )

const writeIpv4 = (address: string) => Buffer.from(address.split('.').map(Number))

function writeIpv6(address: string): Buffer {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (part: string | undefined) => (part ? part.split(':') : [])
  const [left, right] = [groups(head), groups(tail)]
  const middle = Array<string>(8 - left.length - right.length).fill('0')
  return Buffer.from([...left, ...middle, ...right].map((group) => group.padStart(4, '0')).join(''), 'hex')
}
