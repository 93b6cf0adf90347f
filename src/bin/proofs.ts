import { type KeyObject, timingSafeEqual } from 'node:crypto'
import type { Database } from '../platform/database/database.ts'
import { privateKeyFromSeed, publicBytesOf, thumbprintOf } from '../platform/ed25519.ts'
import type { Settings } from '../platform/settings/settings.ts'
import type { Sites } from '../posts/sites.ts'
import { type NoteSigner, openNoteSigner } from '../transparency-log/notes.ts'

export const proofSettingNames = ['POST_SIGNING_KEYS', 'LOG_SIGNING_KEY', 'LOG_URL'] as const

type ProofSettings = Settings<(typeof proofSettingNames)[number]>

/** What a worker needs to sign posts and to write the transparency log. */
export function proofsFromSettings(settings: ProofSettings, sites: Sites) {
  const [logKey, ...postKeys] = [...settings.LOG_SIGNING_KEY, ...settings.POST_SIGNING_KEYS].map(({ key }) => key)
  const [current] = postKeys
  const [firstSite] = sites.values()
  if (!logKey || !current || !firstSite)
    throw new Error('signing requires a key for posts, a key for the log and a site')
  if (postKeys.some((key) => isSame(key, logKey)))
    throw new Error('POST_SIGNING_KEYS and LOG_SIGNING_KEY must be different keys')
  const logSigner = logSignerFrom(logKey, settings.LOG_URL ?? `${new URL(firstSite.baseUrl).origin}/log`)
  const privateKey = privateKeyFromSeed(current.export())
  const signer = { privateKey, keyId: thumbprintOf(publicBytesOf(privateKey)), logOrigin: logSigner.name }
  return {
    publicKeys: postKeys.map((key) => publicBytesOf(privateKeyFromSeed(key.export()))),
    logSigner,
    sites: new Map([...sites].map(([name, site]) => [name, { ...site, signer }])) satisfies Sites,
  }
}

/** The origin of a log is its address without the scheme. */
export const logSignerFrom = (key: KeyObject, url: string): NoteSigner =>
  openNoteSigner(url.replace(/^https?:\/\//, ''), privateKeyFromSeed(key.export()))

const isSame = (one: KeyObject, other: KeyObject) => timingSafeEqual(one.export(), other.export())

/** Workers start at slightly different times, and their clocks differ. */
const toleranceMs = 300_000

/** Publishes the public halves of the keys. A key that is no longer in the settings stays, with its end. */
export async function registerKeys(db: Database, publicKeys: readonly Buffer[], at: Date): Promise<void> {
  const rows = publicKeys.map((public_key) => ({
    key_id: thumbprintOf(public_key),
    public_key,
    valid_from: new Date(at.getTime() - toleranceMs),
  }))
  await db
    .insertInto('signing_keys')
    .values(rows)
    .onConflict((conflict) => conflict.column('key_id').doUpdateSet({ valid_until: null }))
    .execute()
  const kept = rows.map(({ key_id }) => key_id)
  await db
    .updateTable('signing_keys')
    .set({ valid_until: at })
    .where('key_id', 'not in', kept)
    .where('valid_until', 'is', null)
    .execute()
}
