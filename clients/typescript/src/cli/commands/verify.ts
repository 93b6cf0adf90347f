import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import {
  type Check,
  parseVerifierKey,
  postAddresses,
  Refusal,
  readUrl,
  type Verification,
  type VerifyInput,
  verifyPost,
} from '../../verify/index.ts'
import { logsIn, readCheckpoints, saveVisit } from '../checkpoints.ts'
import { CliError, UsageError } from '../cli-error.ts'
import type { ExitName } from '../command-table.ts'
import type { Context } from '../context.ts'
import type { Style } from '../terminal/output.ts'
import { oneLine } from '../terminal/text.ts'

const marks: Record<Check['outcome'], { mark: string; style: Style }> = {
  passed: { mark: '✓', style: 'green' },
  failed: { mark: '✗', style: 'red' },
  skipped: { mark: '–', style: 'dim' },
}

export async function verify(context: Context): Promise<ExitName> {
  const { out, environment } = context
  const input = await readInput(context)
  const checkpoints = input.isOffline ? new Map<string, string>() : readCheckpoints(environment)
  const stop = out.progress('Verifying')
  const result = await verifyPost({
    ...input,
    lastVisit: (origin) => checkpoints.get(origin),
    seenLogs: (site) => logsIn(checkpoints.get(site)),
  }).finally(stop)
  saveVisit(environment, result)
  const exit = exitOf(result)
  const conclusion = conclude(exit, input.isOffline)
  out.document({ verified: result.isVerified, conclusion, checks: result.checks })
  for (const { outcome, title, detail } of result.checks) {
    const { mark, style } = marks[outcome]
    out.print(`${out.style(style, mark)} ${title}. ${out.style('dim', oneLine(detail))}`)
  }
  out.print(out.style(exit === 'ok' ? 'green' : 'red', conclusion))
  return exit
}

async function readInput(context: Context): Promise<VerifyInput> {
  const { args, text, isSet } = context
  const [source = ''] = args
  const [keys, proof, isOffline] = [text('keys'), text('proof'), isSet('offline')]
  if (isOffline && (!keys || isUrl(keys) || isUrl(source)))
    throw new UsageError(
      'Without a connection, the post and the keys must be files.',
      'Save both, then run `broadside verify post.json --keys keys.json --offline`.',
    )
  if (isOffline && (proof || context.list('witness').length > 0))
    throw new UsageError(
      'Without a connection, the log is not checked, so --proof and --witness have no effect.',
      'Leave them out, or leave out --offline.',
    )
  for (const vkey of context.list('witness')) await assertWitness(vkey)
  return {
    post: await read(isUrl(source) ? postAddresses(source).json : source),
    ...(isUrl(source) && { address: source }),
    ...(keys && { keys: await read(keys) }),
    ...(proof && { proof: await read(proof) }),
    witnesses: context.list('witness'),
    isOffline,
  }
}

const isUrl = (source: string) => /^https?:\/\//i.test(source) && URL.canParse(source)

async function assertWitness(vkey: string): Promise<void> {
  try {
    await parseVerifierKey(vkey, 'witness')
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw new UsageError(`--witness is not the key of a witness. ${error.message}`, 'Write it as name+id+base64.')
  }
}

/** What is in a file, on standard input or at an address. */
async function read(source: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!isUrl(source)) return readFileOrInput(source)
  try {
    const found = await readUrl(source, fetch)
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

function conclude(exit: ExitName, isOffline = false): string {
  if (exit === 'unverified') return 'Not verified. Do not rely on this post.'
  if (exit === 'unavailable') return 'Not verified, because a source could not be read. Try again.'
  return isOffline ? 'The signature is valid. The log was not checked.' : 'Verified.'
}
