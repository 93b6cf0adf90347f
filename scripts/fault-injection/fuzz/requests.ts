import { connect } from 'node:net'
import { newApiKey } from '../../../src/accounts/keys/api-key.ts'
import { assertProblem } from '../../../tooling/problem-document.ts'
import { type Random, randomFor } from '../../../tooling/random.ts'
import { patienceMs } from '../../../tooling/services/state.ts'
import { newDraft, type Oddity, render, type Target } from './draft.ts'
import { oddFraming } from './odd-framing.ts'
import { oddHeaders } from './odd-headers.ts'
import { oddLines } from './odd-lines.ts'
import { parseAnswers, type RawAnswer } from './raw-answers.ts'

export type FuzzOptions = {
  host: string
  port: number
  count: number
  seed: number
  /** The number of the first request in the sequence. With a count of 1, it repeats a single failure. */
  first?: number
  apiKey?: string
  onAnswer?: (done: number, total: number) => void
}

export type Failure = { seed: number; index: number; request: string; reason: string }

export type FuzzSummary = {
  sent: number
  byStatus: Record<string, number>
  byCode: Record<string, number>
  failures: Failure[]
}

const connections = 16
/** How long to wait for a response to a possibly incomplete request before half-closing the connection. */
const silenceMs = 60

/**
 * Sends malformed and odd requests and checks every response: none is a 5xx, and every error is a problem document from
 * the catalog. A missing response is also a failure, unless fewer bytes were sent than announced.
 */
export async function fuzzRequests(options: FuzzOptions): Promise<FuzzSummary> {
  const { host, port, count, seed, first = 0, apiKey, onAnswer } = options
  const target = { authority: `${host}:${port}`, apiKey, unknownKey: newApiKey() }
  const summary: FuzzSummary = { sent: 0, byStatus: {}, byCode: {}, failures: [] }
  let next = first
  async function sendNext(): Promise<void> {
    while (next < first + count) {
      const index = next++
      const request = oddRequest(seed, index, target)
      const exchanged = await exchange(host, port, request)
      const reason = judge(request, exchanged, summary)
      if (reason) summary.failures.push({ seed, index, request: preview(request.bytes), reason })
      summary.sent += 1
      onAnswer?.(summary.sent, count)
    }
  }
  await Promise.all(Array.from({ length: connections }, sendNext))
  return summary
}

const oddities: readonly Oddity[] = [...oddFraming, ...oddHeaders, ...oddLines]

export type OddRequest = {
  bytes: Buffer
  methods: string[]
  /** False if the request may have fewer bytes than announced. */
  isWhole: boolean
}

/**
 * The request with this number in the sequence of this seed. The oddities rotate and are combined with random others.
 */
export function oddRequest(seed: number, index: number, target: Target): OddRequest {
  const random = randomFor(seed, index)
  const parts = Array.from({ length: random.chance(0.05) ? 2 + random.below(4) : 1 }, (_, part) =>
    onePart(random, target, index + part),
  )
  const bytes = Buffer.concat(parts.map((part) => part.bytes))
  const methods = parts.map((part) => part.method)
  if (random.chance(0.8)) return { bytes, methods, isWhole: parts.every((part) => part.isWhole) }
  const mutated = mutate(bytes, random)
  return { bytes: mutated, methods: [methodOf(mutated), ...methods.slice(1)], isWhole: false }
}

function onePart(random: Random, target: Target, turn: number) {
  const draft = newDraft(random, target)
  oddities[turn % oddities.length]?.(draft, random, target)
  while (random.chance(0.3)) random.pick(oddities)(draft, random, target)
  const bytes = render(draft, random)
  return { bytes, method: methodOf(bytes), isWhole: draft.isWhole }
}

const methodOf = (bytes: Buffer) => /^\s*([A-Z]*) /.exec(bytes.toString('latin1', 0, 100))?.[1] ?? ''

function mutate(bytes: Buffer, random: Random): Buffer {
  // Most bytes of a large request are in its body, but changes in the head matter more.
  const at = () => random.below(Math.min(bytes.length, random.chance(0.7) ? 200 : bytes.length) + 1)
  const start = at()
  const end = Math.min(bytes.length, start + 1 + random.below(8))
  const [before, middle, after] = [bytes.subarray(0, start), bytes.subarray(start, end), bytes.subarray(end)]
  const mutations = [
    () => [before, middle.map((byte) => byte ^ (1 << random.below(8))), after],
    () => [before, random.bytes(middle.length), after],
    () => [before, random.bytes(1 + random.below(8)), middle, after],
    () => [
      before,
      Buffer.from(random.pick(['\r\n', '\n', '\r', '\0', ' ', '\t', ':', '%', '\r\n\r\n'])),
      middle,
      after,
    ],
    () => [before, after],
    () => [before, middle, middle, after],
    () => [before],
    () => [before, bytes],
  ]
  const mutated = Buffer.concat(random.pick(mutations)())
  return mutated.length > 0 && random.chance(0.25) ? mutate(mutated, random) : mutated
}

type Exchanged = { answers: RawAnswer[]; end: 'closed' | 'given up, closed' | 'late'; error: string | undefined }

/** Sends the bytes unchanged and reads until the server closes the connection, as the request asks. */
function exchange(host: string, port: number, { bytes, methods, isWhole }: OddRequest): Promise<Exchanged> {
  return new Promise((resolve) => {
    let received = Buffer.of()
    let error: string | undefined
    let hasGivenUp = false
    let silence: NodeJS.Timeout | undefined
    const giveUp = () => {
      hasGivenUp = true
      socket.end()
    }
    const finish = (end: Exchanged['end']) => {
      clearTimeout(silence)
      clearTimeout(deadline)
      socket.destroy()
      resolve({ answers: parseAnswers(received, methods, true), end, error })
    }
    const deadline = setTimeout(() => finish('late'), patienceMs)
    const socket = connect({ host, port }, () => {
      socket.write(bytes)
      if (!isWhole) silence = setTimeout(giveUp, silenceMs)
    })
    socket.on('data', (data) => {
      received = Buffer.concat([received, data as Buffer])
      const answered = parseAnswers(received, methods, false).filter((answer) => answer.isWhole)
      if (answered.length >= methods.length) giveUp()
      // Bytes after a rejected request may have been dropped with it.
      else if (silence || answered.length > 0) silence = silence?.refresh() ?? setTimeout(giveUp, silenceMs)
    })
    socket.on('error', ({ message }) => {
      error = message
    })
    socket.on('close', () => finish(hasGivenUp ? 'given up, closed' : 'closed'))
  })
}

/** Counts the responses and lists their faults. */
function judge(
  { bytes }: OddRequest,
  { answers, end, error }: Exchanged,
  { byStatus, byCode }: FuzzSummary,
): string | undefined {
  const sent = bytes.toString('latin1')
  const takes = { pages: /^accept:.*text\/html/im.test(sent), tools: /^POST \/mcp[ ?]/m.test(sent) }
  const reasons = answers.map((answer) => {
    count(byStatus, String(answer.status ?? 'HTTP/0.9'))
    try {
      const code = check(answer, takes)
      if (code) count(byCode, code)
      return undefined
    } catch (wrong) {
      return (wrong as Error).message
    }
  })
  if (answers.length === 0) {
    if (end === 'given up, closed') count(byStatus, 'none')
    else reasons.push(`no response: ${error ?? end}`)
  }
  if (end === 'late') reasons.push(`the connection was still open after ${patienceMs / 1_000} s`)
  return reasons.find((reason) => reason !== undefined)
}

type Takes = { pages: boolean; tools: boolean }

function check({ status, headers, body, isWhole }: RawAnswer, takes: Takes): string | undefined {
  const text = body.toString()
  if (!isWhole) throw new Error(`the response with status ${status} was truncated: ${text.slice(0, 200)}`)
  if (status === undefined)
    return assertProblem({ status: JSON.parse(text).status, contentType: 'application/problem+json', body: text })
  if ((status >= 200 && status < 300) || status === 304) return undefined
  // The gateway waited for the rest of a request that was complete.
  if (status === 408) throw new Error('the end of the request was not detected')
  if (status < 400 || status >= 500) throw new Error(`status ${status}: ${text.slice(0, 300)}`)
  const contentType = headers.get('content-type')
  // Browsers get an HTML page for 404.
  if (takes.pages && (status === 404 || status === 410) && contentType === 'text/html; charset=utf-8') return undefined
  // MCP clients get the error in the MCP format, even for a malformed call.
  if (takes.tools && contentType === 'application/json') return `json-rpc ${JSON.parse(text).error.code}`
  if (text !== '') return assertProblem({ status, contentType, body: text })
  // A response to HEAD has only the headers of a problem document.
  if (contentType !== 'application/problem+json') throw new Error(`status ${status} has content type ${contentType}`)
  return undefined
}

const count = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1
}

const preview = (bytes: Buffer) => JSON.stringify(bytes.toString('latin1', 0, 200)).slice(0, 200)
