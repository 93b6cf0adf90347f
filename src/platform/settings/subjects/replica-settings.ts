import { z } from 'zod'
import { databaseUrl } from '../setting-values.ts'

/** Reading from a streaming replica. */
export const replicaSettings = {
  API_REPLICA_DATABASE_URL: databaseUrl
    .optional()
    .describe(
      'PostgreSQL URL of a streaming replica for the role broadside_api. Searches read from it; without it, from the primary.',
    ),
  DESK_REPLICA_DATABASE_URL: databaseUrl
    .optional()
    .describe('The same for the role broadside_desk. The statistics of the desk read from it.'),
  REPLICA_MAX_LAG_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(10)
    .default(5)
    .describe(
      'How far a replica may be behind. Beyond this, the primary answers. A withdrawn post can be found this long.',
    ),
}
