import { parentPort, workerData } from 'node:worker_threads'
import { kinds } from '../../kinds/index.ts'
import { connect } from '../../platform/database/database.ts'
import { openPages, type PagesPlace } from '../../platform/page-store/open-pages.ts'
import { siteViews } from '../views.ts'
import { type Piece, pagesAtOnce, writePiece } from './write-piece.ts'

/** A piece for the thread, and its answer. */
export type Assigned = { number: number; piece: Piece }
export type Finished = { number: number; files: number }

export type ThreadData = {
  databaseUrl: string
  baseUrls: Record<string, string>
  kind: string
  place: PagesPlace
  /** The time that pages such as “Today” are for. */
  at: string
  /** Whether files of the live tree are used again. */
  usesLive: boolean
}

const { databaseUrl, baseUrls, kind, place, at, usesLive } = workerData as ThreadData
const sites = siteViews(new Map(kinds.map((one) => [one.name, { kind: one, baseUrl: String(baseUrls[one.name]) }])))
const site = sites.get(kind)
if (!site || !parentPort) throw new Error('this module must run in a rebuild’s worker thread')

// A failed piece ends the thread and the rebuild. A later rebuild does not repeat finished pieces.
const { db } = connect(databaseUrl, {
  poolMax: pagesAtOnce,
  applicationName: 'broadside rebuild',
  statementTimeoutMs: 60_000,
})
const live = await openPages(place).openSite(site.kind.site.slug)
const store = live.next({ isSyncedLater: true, isFilling: true, sharesFiles: usesLive })
const parts = { db, site, store, at: new Date(at) }
const port = parentPort
port.on('message', async ({ number, piece }: Assigned) =>
  port.postMessage({ number, files: await writePiece(parts, piece) } satisfies Finished),
)
