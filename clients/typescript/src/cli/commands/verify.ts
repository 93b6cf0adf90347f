import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import {
  type Check,
  type Json,
  type JsonObject,
  postAddresses,
  Refusal,
  readUrl,
  type Verification,
  type VerifiedFacts,
  type VerifyInput,
  verifyPost,
} from '../../verify/index.ts'
import { logsIn, readCheckpoints, saveVisit } from '../checkpoints.ts'
import { CliError, UsageError } from '../cli-error.ts'
import type { ExitName } from '../command-table.ts'
import type { Context } from '../context.ts'
import type { Style } from '../terminal/output.ts'
import { oneLine } from '../terminal/text.ts'

/** How long all requests may take together. */
const timeoutSeconds = 60

const marks: Record<Check['outcome'], { mark: string; style: Style }> = {
  passed: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
  skipped: { mark: '–', style: 'dim' },
}

export async function verify(context: Context): Promise<ExitName> {
  const { out, environment } = context
  const end = performance.now() + timeoutSeconds * 1_000
  const input = await readInput(context, AbortSignal.timeout(timeoutSeconds * 1_000))
  const checkpoints = input.isOffline ? new Map<string, string>() : readCheckpoints(environment)
  const stop = out.progress('Verifying')
  const result = await verifyPost({
    ...input,
    lastVisit: (origin) => checkpoints.get(origin),
    seenLogs: (site) => logsIn(checkpoints.get(site)),
    timeoutSeconds: Math.max(0, end - performance.now()) / 1_000,
  }).finally(stop)
  await saveVisit(environment, result)
  const exit = exitOf(result)
  const conclusion = conclude(exit, result)
  out.document({ verified: result.isVerified, conclusion, checks: result.checks, ...foundIn(result) })
  for (const { outcome, title, detail } of result.checks) {
    const { mark, style } = marks[outcome]
    out.print(`${out.style(style, mark)} ${title}. ${out.style('dim', oneLine(detail))}`)
  }
  out.print(out.style(exit === 'ok' ? 'green' : 'red', conclusion))
  for (const line of linesAbout(result)) out.print(line)
  return exit
}

async function readInput(context: Context, signal: AbortSignal): Promise<VerifyInput> {
  const { args, text, isSet } = context
  const [source = ''] = args
  const [keys, proof, isOffline] = [text('keys'), text('proof'), isSet('offline')]
  if (isOffline && (!keys || isUrl(keys) || isUrl(source)))
    throw new UsageError(
      'Without a connection, the post and the keys must be files.',
      'Save both, then run `broadside verify post.json --keys keys.json --offline`.',
    )
  if (isOffline && proof)
    throw new UsageError(
      'Without a connection, the log is not checked, so --proof has no effect.',
      'Leave it out, or leave out --offline.',
    )
  return {
    post: await read(isUrl(source) ? addressOfJson(source) : source, signal),
    ...(isUrl(source) && { address: source }),
    ...(keys && { keys: await read(keys, signal) }),
    ...(proof && { proof: await read(proof, signal) }),
    isOffline,
  }
}

const isUrl = (source: string) => /^https?:\/\//i.test(source) && URL.canParse(source)

function addressOfJson(source: string): string {
  try {
    return postAddresses(source).json
  } catch {
    throw new UsageError(
      `This is the address of a site, not of a post: ${source}`,
      `Pass the address of a post, such as ${new URL('/p/post_01jcmzq8e5f7r9t2v4x6y8z0ab', source).href}.`,
    )
  }
}

/** What is in a file, on standard input or at an address. */
async function read(source: string, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  if (!isUrl(source)) return readFileOrInput(source)
  try {
    const found = await readUrl(source, fetch, { signal })
    if (found) return found
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new CliError(error.message, {
      exit: error.code === 'unavailable' ? 'unavailable' : 'failed',
      code: error.code === 'unavailable' ? 'connection_failed' : error.code,
      advice: 'Check the address and your connection, then try again.',
    })
  }
  throw new CliError(`${source} does not exist.`, {
    exit: 'not_found',
    code: 'not_found',
    advice: 'Check the address. A post that was deleted or removed cannot be verified any more.',
  })
}

async function readFileOrInput(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return Uint8Array.from(path === '-' ? await buffer(process.stdin) : readFileSync(path))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${path} cannot be read (${code ?? 'unknown'}).`, 'Pass the address of a post, or a file.')
  }
}

/** A source that does not answer says nothing about the post. Any other failure does. */
function exitOf({ checks }: Verification): ExitName {
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return 'ok'
  return failed.every(({ code }) => code === 'unavailable') ? 'unavailable' : 'unverified'
}

function conclude(exit: ExitName, { facts }: Verification): string {
  if (exit === 'unavailable') return 'Not verified, because a source could not be read. Try again.'
  if (exit !== 'ok' || !facts) return 'Not verified. Do not rely on this post.'
  const published = `published by ${facts.site.replace('https://', '')} on ${facts.publishedAt.replace(/\.\d+Z$/, 'Z')}.`
  if (facts.isFirstVisit === null) return `The signature is valid: ${published} The log was not checked.`
  return `Verified: ${published}`
}

/** What the document has about a verified post. */
function foundIn({ post, facts }: Verification) {
  if (!post || !facts) return {}
  const shown = {
    url: facts.url,
    site: facts.site,
    keys_from_site: facts.areKeysFromSite,
    published_at: facts.publishedAt,
    key_id: facts.keyId,
    first_visit: facts.isFirstVisit,
  }
  return { facts: shown, post }
}

const maxShownCharacters = 200

/** What was verified, and on whose word. */
function linesAbout({ post, facts }: Verification): string[] {
  if (!post || !facts) return []
  const content = objectIn(post['content'])
  const texts = {
    Title: content['title'],
    Text: content['text'] ?? content['body'],
  }
  return [
    facts.areKeysFromSite
      ? 'The keys come from that site itself. To verify with keys that you trust, save them and pass --keys.'
      : 'The keys are those that you passed.',
    'Untrusted content, written by the author of the post:',
    ...Object.entries(texts).flatMap(([name, text]) => (typeof text === 'string' ? `  ${name}: ${shown(text)}` : [])),
    ...linesAboutLog(facts),
  ]
}

function linesAboutLog({ isFirstVisit }: VerifiedFacts): string[] {
  if (isFirstVisit === null) return []
  return [
    isFirstVisit
      ? 'This was your first visit to this log, so there was nothing to compare it with.'
      : 'The log still has everything that it had at your last visit.',
  ]
}

const objectIn = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

function shown(text: string): string {
  const characters = Array.from(oneLine(text))
  const start = characters.slice(0, maxShownCharacters).join('')
  return characters.length > maxShownCharacters ? `${start.trimEnd()}…` : start
}
