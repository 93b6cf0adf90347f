import { createHash, randomBytes, sign } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { kinds } from '../../../src/kinds/index.ts'
import { canonicalJson } from '../../../src/platform/canonical-json.ts'
import { systemClock } from '../../../src/platform/clock.ts'
import { connect } from '../../../src/platform/database/database.ts'
import { asAdministrator } from '../../../src/platform/database/database-setup.ts'
import { privateKeyFromSeed, signEd25519 } from '../../../src/platform/ed25519.ts'
import { createLogger } from '../../../src/platform/observability/logger.ts'
import { openPageStore } from '../../../src/platform/page-store/page-store.ts'
import type { PageStore } from '../../../src/platform/page-store/site-store.ts'
import { examplePublicPost } from '../../../src/posts/public/public-post.ts'
import { filesOfPost } from '../../../src/publishing/site-files.ts'
import { commitmentTo } from '../../../src/transparency-log/entries.ts'
import { openLog } from '../../../src/transparency-log/log.ts'
import { openNoteSigner } from '../../../src/transparency-log/notes.ts'
import { proofFile } from '../../../src/transparency-log/proof-file.ts'
import { advanceLog } from '../../../src/transparency-log/start-log.ts'
import { readOptions } from '../../../tooling/script-options.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'

/** What signing and logging a post costs: time compared with the bare signature, bytes in pages, files and rows. */
export async function benchProofs(args: string[]): Promise<void> {
  readOptions(args, {})
  measureSigning()
  measurePages()
  await measureLog()
}

const key = privateKeyFromSeed(createHash('sha256').update('bench').digest())
const rounds = 2_000

function measureSigning(): void {
  for (const kind of kinds) {
    const { signature: _, ...post } = examplePublicPost(kind)
    const bytes = Buffer.from(canonicalJson(post))
    const bare = timed(() => sign(null, bytes, key))
    const whole = timed(() => {
      signEd25519(key, canonicalJson(post))
      commitmentTo('bench.example/log', randomBytes(32), post)
    })
    print({
      bench: 'proofs',
      kind: kind.name,
      signed_bytes: bytes.length,
      bare_us: bare,
      whole_us: whole,
      ratio: whole / bare,
    })
  }
}

function timed(work: () => unknown): number {
  for (let done = 0; done < rounds / 10; done += 1) work()
  const { user, system } = process.threadCpuUsage()
  for (let done = 0; done < rounds; done += 1) work()
  const after = process.threadCpuUsage()
  return (after.user + after.system - user - system) / rounds
}

/** The files of a post with and without its signature and the links to its proof. */
function measurePages(): void {
  for (const kind of kinds) {
    const baseUrl = `https://${kind.site.slug}.example`
    const family = kinds.map((each) => ({ ...each.site, kind: each.name, definition: each, baseUrl }))
    const post = examplePublicPost(kind)
    const sizes = ['html', 'json'].flatMap((form) =>
      [{ ...post, signature: null }, post].map((each) => {
        const files = filesOfPost({ kind, baseUrl, family }, post.id, { post: each, isOver: false })
        const [, content] = [...files].find(([path]) => path.endsWith(`.${form}`)) ?? []
        return gzipSync(String(content)).length
      }),
    )
    const [htmlBefore, htmlAfter, jsonBefore, jsonAfter] = sizes
    print({ kind: kind.name, gzip_bytes: { html: [htmlBefore, htmlAfter], json: [jsonBefore, jsonAfter] } })
  }
}

async function measureLog(): Promise<void> {
  await using database = await migratedDatabase('bench')
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-bench-log-'))
  await using connection = connect(database.urls.worker, { poolMax: 2, applicationName: 'bench' })
  const { db } = connection
  const counted = counting(openPageStore(folder.path))
  const log = {
    ...{ db, clock: systemClock, logger: createLogger('error', 'bench'), store: counted.store },
    signer: openNoteSigner('bench.example/log', key),
    enqueueProofs: async () => {},
  }
  await openLog(db, log.signer)
  for (const entries of [1, 10, 100, 1_000]) {
    const times: number[] = []
    counted.reset()
    const turns = entries === 1_000 ? 8 : 20
    for (let turn = 0; turn < turns; turn += 1) {
      const rows = Array.from({ length: entries }, () => ({ type: 'post', commitment: randomBytes(32) }))
      await db.insertInto('log_queue').values(rows).execute()
      const startedAt = performance.now()
      await advanceLog(log)
      times.push(performance.now() - startedAt)
    }
    const ms = times.toSorted((one, other) => one - other)[times.length >> 1] ?? 0
    const { files, bytes } = counted.figures()
    print({
      entries,
      round_ms: ms,
      entry_ms: ms / entries,
      files_per_round: files / turns,
      bytes_per_round: bytes / turns,
    })
  }
  const { size } = await db.selectFrom('log_head').select('size').executeTakeFirstOrThrow()
  const startedAt = performance.now()
  let bytes = 0
  for (let index = 0; index < size; index += 101)
    bytes += (await proofFile(db, { index, salt: randomBytes(32) }))?.length ?? 0
  const proofs = Math.ceil(size / 101)
  print({ size, proof_ms: (performance.now() - startedAt) / proofs, proof_bytes: bytes / proofs })
  await asAdministrator(database.adminUrl, async (admin) => {
    const tables = ['log_entries', 'log_tile_hashes', 'log_checkpoints']
    for (const table of tables) {
      const { rows } = await admin.query<{ bytes: number }>(`select pg_total_relation_size('${table}') as bytes`)
      print({ table, bytes_per_entry: Number(rows[0]?.bytes) / size })
    }
  })
}

/** Counts the files and bytes that are written. */
function counting(store: PageStore) {
  let [files, bytes] = [0, 0]
  const apply: PageStore['apply'] = async (given, fence) => {
    for (const content of given.values())
      if (Buffer.isBuffer(content) || typeof content === 'string') bytes += content.length
    const written = await store.apply(given, fence)
    files += written
    return written
  }
  return {
    store: { ...store, apply },
    figures: () => ({ files, bytes }),
    reset: () => {
      files = 0
      bytes = 0
    },
  }
}

const print = (figures: Record<string, unknown>) =>
  console.log(
    JSON.stringify(figures, (_, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value)),
  )
