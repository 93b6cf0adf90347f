import { z } from 'zod'
import { secretKeys } from '../setting-values.ts'

/** The keys that sign public posts and the transparency log. */
export const proofSettings = {
  POST_SIGNING_KEYS: secretKeys.describe(
    'Keys that sign public posts: <name>:<base64 of 32 bytes>, separated by spaces. The first key signs; the public halves of all are published. Only workers need them. ' +
      'docs/runbooks/transparency-log.md explains rotation. Generate a key with `openssl rand -base64 32`.',
  ),
  LOG_SIGNING_KEY: secretKeys
    .refine((keys) => keys.length === 1)
    .describe(
      'The key that signs the transparency log: <name>:<base64 of 32 bytes>. It belongs to the log and cannot be replaced without starting a new log. Only workers need it.',
    ),
  LOG_URL: z
    .url()
    .regex(/^https?:\/\/[^/?#]+\/log(?:\/[1-9]\d{0,3})?$/)
    .optional()
    .describe(
      'Where readers find the transparency log: the origin of a site and /log, or /log/2 for the second log. Default: /log of the first of SITES. It names the log, so it changes only when a new log is started.',
    ),
}
