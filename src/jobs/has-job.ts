import { type RawBuilder, sql } from 'kysely'
import type { JobName, JobPayload } from './jobs.ts'

/** SQL that is true where a job of one of these names waits or runs for the row `alias`, which has the payload's members as columns. */
export function hasJob<Name extends JobName>(
  names: Name | readonly Name[],
  members: readonly (keyof JobPayload<Name> & string)[],
  alias: string,
): RawBuilder<boolean> {
  const same = members.map((member) => sql`job.data->>${sql.lit(member)} = ${sql.ref(`${alias}.${member}`)}::text`)
  return sql<boolean>`exists (
    select from pgboss.job_common job
    where job.name in (${sql.join([names].flat().map((name) => sql.lit(name)))}) and job.state < 'completed' and ${sql.join(same, sql` and `)}
  )`
}
