/** Accounts, the operator's command, waiting and mail. */
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { fail, isOkJson, isString } from './assert.ts'
import { Failure, type Json, show, skip } from './checks.ts'
import { at, type Reply, request, sleep } from './http.ts'
import { decisionSeconds, freshnessSeconds, hasInbox, inbox, isProduction, operatorCommand } from './targets.ts'

const letter = (of: string) => of[randomInt(of.length)]
/** A new word: pronounceable, so that neither a filter nor a stemmer minds it. */
export const marker = (syllables = 5) =>
  `${Array.from({ length: syllables }, () => `${letter('bdfgklmnprtvz')}${letter('aiou')}`).join('')}k`
export const freshEmail = () => `acceptance-${marker()}@example.com`

type NewAccount = { kind?: string; name?: string; email?: string; micros?: number }
/** A new account, credited by the operator's command when `micros` is given. */
export async function freshAccount({
  kind = 'message',
  name = `Acceptance ${marker(3)}`,
  email = freshEmail(),
  micros = 0,
}: NewAccount = {}) {
  const reply = await at(kind).post('/v1/accounts', { name, email, accept_terms: true })
  const { id, api_key: key, account_url } = isOkJson(reply, 201)
  isString(key, 'api_key of POST /v1/accounts')
  isString(id, 'id of POST /v1/accounts')
  const record = () => accountRecord(key)
  const balance = async () => (await record()).balance_micros
  if (micros > 0) await credit(id, micros)
  return { id, key, name, email, account_url, reply, record, balance, credit: (more: number) => credit(id, more) }
}
export type Account = Awaited<ReturnType<typeof freshAccount>>

export const accountRecord = async (key: string, kind = 'message') =>
  isOkJson(await at(kind).get('/v1/account', { key }))

export const credit = (id: string, micros: number) => operator('credit', id, String(micros), '--reason', 'test')

const waiting: (() => void)[] = []
let running = 0
/**
 * The operator's commands, three at a time, because each starts processes. Gives back what they print: as JSON when it
 * is JSON, else as text. A command that fails throws.
 */
export async function operator(...words: string[]): Promise<Json> {
  if (running >= 3) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  const [command = '', ...first] = operatorCommand
  try {
    const { stdout } = await promisify(execFile)(command, [...first, ...words], { timeout: 60_000 })
    return parsed(stdout)
  } catch (error) {
    const { code, stdout, stderr } = error as Json
    throw new Failure(`${words.join(' ')}: expected exit code 0, came ${code ?? error} ${show(`${stdout}${stderr}`)}`)
  } finally {
    running--
    waiting.shift()?.()
  }
}
function parsed(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Moves the clock of every running process forward, does something, and always sets the clock back (decisions 14). */
export async function travel(time: string, visit: () => unknown): Promise<void> {
  if (isProduction) skip('production has no clock to move')
  try {
    await operator('clock', 'advance', time)
    await visit()
  } finally {
    await operator('clock', 'reset')
  }
}

/** Seconds that a reply asks its caller to wait. */
export const retryAfterOf = ({ headers }: Reply) =>
  /^\d+$/.test(headers['retry-after'] ?? '') ? Number(headers['retry-after']) : undefined

/**
 * Polls a post until its status is one of `wanted` (by default: anything but queued). Sleeps as long as Retry-After
 * asks, never past the deadline. A harmless post that the model sent to a person is published as a person would.
 */
export async function waitForStatus(
  kind: string,
  id: string,
  key: string,
  wanted?: string[],
  seconds = decisionSeconds,
) {
  const deadline = performance.now() + seconds * 1000
  const polls: string[] = []
  for (;;) {
    const reply = await at(kind).get(`/v1/posts/${id}`, { key })
    const record = isOkJson(reply)
    polls.push(record.status)
    if (wanted ? wanted.includes(record.status) : record.status !== 'queued') return { record, reply, polls }
    const expected = `status ${wanted?.join(' or ') ?? 'decided'} within ${seconds} s`
    const left = deadline - performance.now()
    if (record.status === 'review' && wanted?.includes('published')) await operator('decide', id, 'publish')
    else if (record.status !== 'queued' || left <= 0)
      fail(`post ${id}`, expected, `${record.status} ${show(record.rejection ?? record.moderation)}`)
    else await sleep(Math.min((retryAfterOf(reply) ?? 1) * 1000, left))
  }
}

/** Repeats `look` until it stops throwing, at most `seconds`. */
export async function eventually<T>(look: () => Promise<T>, seconds = freshnessSeconds): Promise<T> {
  const started = performance.now()
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (performance.now() - started > seconds * 1000) throw new Failure(`${error.message} (for ${seconds} s)`)
      await sleep(250)
    }
  }
}

export async function mailsTo(address: string): Promise<Json[]> {
  if (!hasInbox) skip('MAIL_URL names no inbox')
  const mails: Json[] = isOkJson(await request('GET', `${inbox}/email`))
  const receivers = (mail: Json) => [...(mail.to ?? []), ...(mail.envelope?.to ?? [])].map((to) => to?.address ?? to)
  return mails.filter((mail) => receivers(mail).some((to) => String(to).toLowerCase() === address.toLowerCase()))
}

export const mailText = (mail: Json) => `${mail.subject ?? ''}\n${mail.text ?? ''}\n${mail.html ?? ''}`

type MailSearch = { known?: string[]; seconds?: number; where?: (mail: Json) => boolean }
/** The newest mail to `address` that is not among `known` (ids). */
export const waitForMail = (address: string, { known = [], seconds = 20, where = () => true }: MailSearch = {}) =>
  eventually(async () => {
    const mails = (await mailsTo(address)).filter((mail) => !known.includes(mail.id) && where(mail))
    if (mails.length === 0) fail(`mail to ${address}`, 'one', 'none')
    return mails.toSorted((a, b) => Date.parse(b.time ?? b.date) - Date.parse(a.time ?? a.date))[0]
  }, seconds)
