import type { Bytes } from './bytes.ts'
import { checkProof, type ProvenEntry, type Read, readContinuity } from './log-checks.ts'
import { assertTimes, checkPostSignature, parsePostSignature, signedPartOf } from './post-signature.ts'
import { keyForPosts, type PublishedKeys, parsePublishedKeys } from './published-keys.ts'
import { Refusal, type RefusalCode } from './refusal.ts'
import { type Fetch, isPageUrl, postAddresses, readUrl } from './sources.ts'
import { isObject, type JsonObject, parseStrictJson } from './strict-json.ts'

/** The checks, in their order. */
export const checkTitles = {
  json: 'The post is unambiguous JSON',
  form: 'The signature is well formed',
  key: 'The signature’s key is published and was valid',
  signature: 'The service signed this post',
  proof: 'The post is in the transparency log',
  continuity: 'The log has only grown',
} as const

export type CheckName = keyof typeof checkTitles
export type Check = {
  readonly name: CheckName
  readonly title: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** What was found, or why the check failed or was skipped. */
  readonly detail: string
  /** Why the check failed. */
  readonly code?: RefusalCode
}

export type Verification = {
  /** Whether no check failed. */
  readonly isVerified: boolean
  readonly checks: readonly Check[]
  /** What was verified of the post. Use this: other fields are not signed, and what is read again can differ. Only if no check failed. */
  readonly post?: JsonObject
  /** What was verified, and on whose word. Only if no check failed. */
  readonly facts?: VerifiedFacts
  /** The current checkpoint of the log, to pass as `lastVisit` next time. Only if no check failed. */
  readonly checkpoint?: { readonly origin: string; readonly note: string }
  /** The names of all logs of the site, to pass as `seenLogs` next time. Only if no check failed and `keys` was not given. */
  readonly logs?: { readonly site: string; readonly origins: readonly string[] }
}

export type VerifiedFacts = {
  /** The address that the post names. */
  readonly url: string
  /** The site that the post names as its publisher: the origin of its address. */
  readonly site: string
  /** Whether the keys were read from that site. Otherwise they are those that were passed. */
  readonly areKeysFromSite: boolean
  readonly publishedAt: string
  /** The identifier of the service’s key. */
  readonly keyId: string
  /** Whether no earlier visit to the log is known; null if the log was not checked. */
  readonly isFirstVisit: boolean | null
}

export type VerifyInput = {
  /** The JSON of the post, exactly as it was read. */
  post: string | Bytes
  /** The address at which the post was read. The post must say the same. */
  address?: string
  /** The published keys. Default: those of the post’s site. */
  keys?: string | Bytes
  /** The proof of the entry in the log. Default: the one beside the post. */
  proof?: string | Bytes
  /** Check signatures only, and send no request. `keys` is required then. */
  isOffline?: boolean
  /** The signed checkpoint that this verifier saw last for a log. */
  lastVisit?: (origin: string) => string | undefined
  /** The names of the logs that a site had when this verifier saw it. None of them may disappear. */
  seenLogs?: (site: string) => readonly string[] | undefined
  fetch?: Fetch
  now?: Date
  /** How long all requests may take together. Default: 60. */
  timeoutSeconds?: number
}

const defaultTimeoutSeconds = 60

/** Checks a post, its signatures and its entry in the log. What fails is in the result; nothing is thrown for it. */
export async function verifyPost(input: VerifyInput): Promise<Verification> {
  const checks = new Checks()
  const now = input.now ?? new Date()
  const read = readerOf(input)
  const post = await checks.run('json', true, async () => parsePost(input))
  const keys = sharedKeys(input, read, post)
  const form = await checks.run('form', post, async (post) => parseForm(post, now))
  const key = await checks.run('key', form, async ({ keyId, createdAt }) => ({
    value: await keyForPosts((await keys()).keys, keyId, createdAt),
    detail: `The key: ${keyId}.`,
  }))
  await checks.run('signature', form && key && { form, key }, async ({ form, key }) => ({
    value: await checkPostSignature(form.signed, form, key),
    detail: `Revision ${form.signed['revision']} is what the service signed.`,
  }))
  const visit = input.isOffline ? skipLog(checks) : await checkLog(checks, input, { post, read, keys })
  if (!checks.isPassed || !form) return { isVerified: false, checks: checks.all }
  const { isFirstVisit = null, ...seen } = visit ?? {}
  const facts = {
    ...{
      url: form.url,
      site: new URL(form.url).origin,
      areKeysFromSite: input.keys === undefined,
      publishedAt: form.publishedAt,
    },
    ...{ keyId: form.keyId, isFirstVisit },
  }
  return { isVerified: true, checks: checks.all, post: form.signed, facts, ...seen }
}

function readerOf({ fetch: given, timeoutSeconds = defaultTimeoutSeconds }: VerifyInput): Read {
  const signal = AbortSignal.timeout(Math.ceil(timeoutSeconds * 1_000))
  return (url, maxBytes) => readUrl(url, given ?? fetch, { signal, ...(maxBytes !== undefined && { maxBytes }) })
}

function parseForm(post: JsonObject, now: Date) {
  const signature = parsePostSignature(post)
  assertTimes(post, signature, now)
  const more = { signed: signedPartOf(post), url: String(post['url']), publishedAt: String(post['published_at']) }
  const detail = `The signature says that it was made at ${signature.createdAt.toISOString()}.`
  return { value: { ...signature, ...more }, detail }
}

function skipLog(checks: Checks): undefined {
  checks.skip('proof', 'The log was not checked.')
  checks.skip('continuity', 'The log was not checked.')
}

type LogSources = { post: JsonObject | undefined; read: Read; keys: () => Promise<PublishedKeys> }

async function checkLog(checks: Checks, input: VerifyInput, { post, read, keys }: LogSources) {
  const proven: ProvenEntry | undefined = await checks.run('proof', post, async (post) => {
    const proof = input.proof ?? (await read(`${post['url']}.tlog-proof`))
    if (proof === undefined)
      throw new Refusal('proof_missing', 'A new post is in the log after some seconds. Try again then.')
    return checkProof({ ...signedPartOf(post), signature: post['signature'] ?? null }, proof, await keys(), read)
  })
  const lastVisit = input.lastVisit ?? (() => undefined)
  return checks.run('continuity', proven, async (proven) =>
    readContinuity(proven, await keys(), { lastVisit, site: siteOf(input, post) }),
  )
}

/** The site of the post, if the keys are from there. Other keys can be older than the last visit. */
function siteOf({ keys, seenLogs }: VerifyInput, post: JsonObject | undefined) {
  if (keys !== undefined) return undefined
  const address = new URL(String(post?.['url'])).origin
  return { address, seenLogs: seenLogs?.(address) ?? [] }
}

function parsePost({ post: source, address }: VerifyInput): Found<JsonObject> {
  const post = parseStrictJson(source)
  if (!isObject(post) || typeof post['url'] !== 'string' || !isPageUrl(post['url'])) throw new Refusal('post_malformed')
  const { url, id } = post
  if (!url.endsWith(`/p/${id}`)) throw new Refusal('post_at_other_address', url)
  if (address !== undefined && postAddresses(address).page !== url) throw new Refusal('post_at_other_address', url)
  return { value: post, detail: `The post: ${url}` }
}

/** Reads the keys once, when the first check needs them. */
function sharedKeys({ keys, isOffline }: VerifyInput, read: Read, post: JsonObject | undefined) {
  let reading: Promise<PublishedKeys> | undefined
  const readKeys = async () => {
    if (keys !== undefined) return parsePublishedKeys(keys)
    if (isOffline) throw new Refusal('unavailable', 'Without a connection, pass the published keys.')
    const url = new URL('/.well-known/broadside-keys.json', String(post?.['url'])).href
    const source = await read(url)
    if (!source) throw new Refusal('key_unknown', `${url} does not exist.`)
    return parsePublishedKeys(source)
  }
  return () => {
    reading ??= readKeys()
    return reading
  }
}

type Found<Value> = { value: Value; detail: string }

class Checks {
  readonly all: Check[] = []

  get isPassed(): boolean {
    return this.all.every(({ outcome }) => outcome !== 'failed')
  }

  skip(name: CheckName, detail: string): undefined {
    this.all.push({ name, title: checkTitles[name], outcome: 'skipped', detail })
  }

  /** Runs a check if what it needs is there. Returns what it found; undefined if it failed or was skipped. */
  async run<Needs, Value>(
    name: CheckName,
    needs: Needs | undefined,
    check: (needs: Needs) => Promise<Found<Value>>,
  ): Promise<Value | undefined> {
    if (needs === undefined) return this.skip(name, 'An earlier check failed.')
    const title = checkTitles[name]
    try {
      const { value, detail } = await check(needs)
      this.all.push({ name, title, outcome: 'passed', detail })
      return value
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.all.push({ name, title, outcome: 'failed', detail: error.message, code: error.code })
      return undefined
    }
  }
}
