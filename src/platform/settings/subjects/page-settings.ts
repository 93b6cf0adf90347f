import { z } from 'zod'

/** The settings of the page store. */
export const pageSettings = {
  PAGES_DIRECTORY: z
    .string()
    .min(1)
    .describe(
      'Directory of the published pages, with one folder per site. Workers write to it and the gateway serves it. With PAGES_STORE=s3 nothing is written there.',
    ),
  PAGES_STORE: z
    .enum(['directory', 's3'])
    .default('directory')
    .describe(
      'Where workers store pages: in PAGES_DIRECTORY, or in an S3 bucket that several machines share. s3 requires PAGES_S3_ENDPOINT, PAGES_S3_BUCKET, PAGES_S3_ACCESS_KEY_ID and PAGES_S3_SECRET_KEY.',
    ),
  PAGES_S3_ENDPOINT: z
    .string()
    .regex(/^https?:\/\/[^/?#@\s'"$\\{};]+$/)
    .optional()
    .describe('For the store "s3": origin of its API. Buckets are addressed by path.'),
  PAGES_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional()
    .describe(
      'For the store "s3": bucket of the pages, without versioning. Everybody can read its objects, and nobody can list them.',
    ),
  PAGES_S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('us-east-1')
    .describe('For the store "s3": region of the bucket; "auto" for R2.'),
  PAGES_S3_ACCESS_KEY_ID: z
    .string()
    .regex(/^[\w.-]{1,128}$/)
    .optional()
    .describe('For the store "s3": identifier of the key that can read, write, list and delete objects in the bucket.'),
  PAGES_S3_SECRET_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,256}$/)
    .optional()
    .describe('For the store "s3": the secret of that key.'),
}
