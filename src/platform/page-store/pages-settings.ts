import { type Settings, SettingsError } from '../settings/settings.ts'
import type { PagesPlace } from './open-pages.ts'

/** The settings of the page store. */
export const pagesSettings = [
  'PAGES_STORE',
  'PAGES_DIRECTORY',
  'PAGES_S3_ENDPOINT',
  'PAGES_S3_BUCKET',
  'PAGES_S3_REGION',
  'PAGES_S3_ACCESS_KEY_ID',
  'PAGES_S3_SECRET_KEY',
] as const

export function pagesPlaceFrom(settings: Settings<(typeof pagesSettings)[number]>): PagesPlace {
  if (settings.PAGES_STORE === 'directory') return { directory: settings.PAGES_DIRECTORY }
  const { PAGES_S3_ENDPOINT: endpoint, PAGES_S3_BUCKET: bucket, PAGES_S3_REGION: region } = settings
  const { PAGES_S3_ACCESS_KEY_ID: accessKey, PAGES_S3_SECRET_KEY: secretKey } = settings
  if (!endpoint || !bucket || !accessKey || !secretKey)
    throw new SettingsError(
      'PAGES_STORE=s3 requires PAGES_S3_ENDPOINT, PAGES_S3_BUCKET, PAGES_S3_ACCESS_KEY_ID and PAGES_S3_SECRET_KEY. Set all of them, or use PAGES_STORE=directory.',
    )
  return { s3: { endpoint, bucket, region, accessKey, secretKey } }
}
