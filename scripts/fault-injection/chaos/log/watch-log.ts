import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openCheckpoint, parseVerifierKey, verifyPost } from '../../../../clients/typescript/src/verify/index.ts'
import { patienceMs } from '../../../../tooling/services/state.ts'
import type { Environment } from '../environment.ts'

const pollMs = 100
/** So many posts are verified one by one. The entries of all are checked. */
const verifiedPosts = 200

/** Reads the published checkpoint all the time, as a monitor does, and remembers every size and root that it saw. */
export function watchLog(baseUrl: string) {
  const seen = new Map<number, string>()
  const faults: string[] = []
  const stop = new AbortController()
  let last = 0
  let stepsBack = 0
  let key: Awaited<ReturnType<typeof parseVerifierKey>> | undefined
  const look = async () => {
    key ??= await readLogKey(baseUrl)
    const note = await (await fetch(`${baseUrl}/log/checkpoint`)).text()
    const { size, root } = await openCheckpoint(note, { origin: key.name, logKey: key })
    const hash = Buffer.from(root).toString('hex')
    const known = seen.get(Number(size))
    if (known !== undefined && known !== hash) faults.push(`the log has two roots of size ${size}`)
    seen.set(Number(size), hash)
    if (Number(size) < last) stepsBack += 1
    last = Number(size)
  }
  const watching = (async () => {
    while (!stop.signal.aborted) {
      // The first checkpoint follows the first post, and a gateway without files answers 404 for a moment.
      await look().catch(() => {})
      await sleep(pollMs)
    }
  })()
  return {
    end: async () => {
      stop.abort()
      await watching
      return { seen, faults, stepsBack }
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await watching
    },
  }
}

async function readLogKey(baseUrl: string) {
  const keys = (await (await fetch(`${baseUrl}/.well-known/broadside-keys.json`)).json()) as {
    logs: { vkey: string }[]
  }
  return parseVerifierKey(String(keys.logs[0]?.vkey))
}

type Watched = Awaited<ReturnType<ReturnType<typeof watchLog>['end']>>

/**
 * Reads the whole log through the gateway and checks it: each checkpoint that was ever seen is the root of its first
 * entries, no entry is there twice, and every public post has an entry that its proof opens.
 */
export async function checkLog(environment: Environment, { seen, faults, stepsBack }: Watched) {
  await untilLogged(environment)
  const { baseUrl, query } = environment
  const note = await (await fetch(`${baseUrl}/log/checkpoint`)).text()
  const size = Number(note.split('\n')[1])
  const entries = await readAllEntries(baseUrl, size)
  const broken = [...faults]
  if (entries.length !== size) broken.push(`the log has ${entries.length} of ${size} entries`)
  if (
    new Set(entries.filter((entry) => entry.includes('"c"'))).size !== entries.filter((e) => e.includes('"c"')).length
  )
    broken.push('an entry of the log is there twice')
  for (const [at, root] of [
    ...seen,
    [size, Buffer.from(String(note.split('\n')[2]), 'base64').toString('hex')] as const,
  ])
    if (rootOf(entries.slice(0, at)).toString('hex') !== root)
      broken.push(`the checkpoint of size ${at} is not of this log`)
  const posts = await query<{ id: string; base: string; entry_index: string | null }>(
    `select posts.id, post_proofs.entry_index from posts left join post_proofs on post_proofs.post_id = posts.id
      where status = 'published' order by random()`,
  )
  const unlogged = posts.filter(({ entry_index }) => entry_index === null).length
  if (unlogged > 0) broken.push(`${unlogged} public posts are not in the log`)
  for (const { id } of posts.slice(0, verifiedPosts)) {
    const address = `${baseUrl}/p/${id}`
    const post = await (await fetch(`${address}.json`)).text()
    const { isVerified, checks } = await verifyPost({ post, address })
    const failed = checks.find(({ outcome }) => outcome === 'failed')
    if (!isVerified) broken.push(`${id} cannot be verified: ${failed?.code} ${failed?.detail}`)
  }
  return {
    log_size: size,
    log_checkpoints_seen: seen.size,
    log_steps_back: stepsBack,
    log_posts: posts.length,
    log_faults: broken.slice(0, 10),
  }
}

/** A log that stops stays so. */
async function untilLogged({ query }: Environment): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline) {
    const [row] = await query<{ left: number; stopped: string | null }>(
      `select (select count(*) from log_queue where entry_index is null)
        + (select count(*) from pgboss.job_common where state < 'completed' and name = 'write-proof')
        + size - published_size as left, stopped_reason as stopped from log_head`,
    )
    if (row?.stopped) throw new Error(`the transparency log has stopped: ${row.stopped}`)
    if (Number(row?.left) === 0) return
    await sleep(300)
  }
}

async function readAllEntries(baseUrl: string, size: number): Promise<string[]> {
  const entries: string[] = []
  for (let index = 0; index * 256 < size; index += 1) {
    const width = Math.min(256, size - index * 256)
    const digits = String(index).padStart(6, '0')
    const name = index < 1_000 ? digits.slice(3) : `x${digits.slice(0, 3)}/${digits.slice(3)}`
    const path = `tile/entries/${name}${width < 256 ? `.p/${width}` : ''}`
    const bundle = Buffer.from(await (await fetch(`${baseUrl}/log/${path}`)).arrayBuffer())
    for (let at = 0; at + 2 <= bundle.length; at += 2 + bundle.readUInt16BE(at))
      entries.push(bundle.toString('utf8', at + 2, at + 2 + bundle.readUInt16BE(at)))
  }
  return entries
}

const sha256 = (...parts: (string | Buffer)[]) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** RFC 6962, section 2.1. */
function rootOf(entries: readonly string[]): Buffer {
  const [first] = entries
  if (first === undefined) return sha256()
  if (entries.length === 1) return sha256('\0', first)
  const half = 2 ** Math.floor(Math.log2(entries.length - 1))
  return sha256('\x01', rootOf(entries.slice(0, half)), rootOf(entries.slice(half)))
}
