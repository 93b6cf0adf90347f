import { parentPort, workerData } from 'node:worker_threads'
import { kinds } from '../../kinds/index.ts'
import { connect } from '../../platform/database/database.ts'
import { openPageStore } from '../../platform/page-store/page-store.ts'
import { openCardPainter } from '../cards/card-painter.ts'
import { siteViews } from '../views.ts'
import { type Piece, writePiece } from './write-piece.ts'

export type ThreadData = {
  databaseUrl: string
  baseUrls: Record<string, string>
  kind: string
  tree: string
  /** The time that pages such as “Today” are for. */
  at: string
  like: string | undefined
  fontsDirectory: string | undefined
}

const { databaseUrl, baseUrls, kind, tree, at, like, fontsDirectory } = workerData as ThreadData
const sites = siteViews(new Map(kinds.map((one) => [one.name, { kind: one, baseUrl: String(baseUrls[one.name]) }])))
const site = sites.get(kind)
if (!site || !parentPort) throw new Error('this module must run in a rebuild’s worker thread')

// A failed piece ends the thread and the rebuild. A later rebuild does not repeat finished pieces.
const { db } = connect(databaseUrl, { poolMax: 2, applicationName: 'broadside rebuild', statementTimeoutMs: 60_000 })
const store = openPageStore(tree, { isSyncedLater: true, ...(like && { like }) })
const cards = fontsDirectory === undefined ? undefined : openCardPainter({ directory: fontsDirectory })
const place = { db, site, store, cards, at: new Date(at), live: like === undefined ? undefined : openPageStore(like) }
const port = parentPort
port.on('message', async (piece: Piece) => port.postMessage(await writePiece(place, piece)))
