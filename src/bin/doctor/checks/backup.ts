import type pg from 'pg'
import { z } from 'zod'
import {
  asRoot,
  type CheckFinding,
  type Context,
  codeOf,
  NotChecked,
  problem,
  type RunCheck,
  unchecked,
  warning,
} from '../check.ts'
import { withAnyRole } from '../databases.ts'
import { commandAs, findUser, mayAccess, runProgram } from '../users.ts'

/** A daily backup that takes two hours. */
const oldestHours = 26

export const checkBackup: RunCheck = async (context) => {
  const { BACKUP_STANZA: stanza } = context.read(['BACKUP_STANZA'])
  const erasureLog = await checkErasureLog(context)
  if (!stanza)
    return {
      summary: '',
      findings: [
        ...erasureLog,
        warning(
          'No backup is configured: BACKUP_STANZA is not set.',
          'Set up pgBackRest (apt-get install pgbackrest) and set BACKUP_STANZA to the name of its stanza.',
        ),
      ],
    }
  const { summary, findings } = await checkBackups(context, stanza)
  return { summary, findings: [...findings, ...(await checkArchive(context)), ...erasureLog] }
}

/** Closed accounts are not cleared before the workers have written them there. */
async function checkErasureLog(context: Context): Promise<CheckFinding[]> {
  const { ERASURE_LOG: directory, SERVICE_USER: user } = context.read(['ERASURE_LOG', 'SERVICE_USER'])
  // Other checks say that the setting or the user is missing.
  if (!directory || !context.isProduction || findUser(user) === undefined) return []
  const can = await mayAccess(context, user, directory, 'write')
  if (can) return []
  if (can === undefined)
    return [unchecked(`Only root can tell whether ${user} can write to ${directory}.`, asRoot(context))]
  return [
    problem(
      `The workers cannot write the erasure log to ${directory} as ${user}, so they do not clear closed accounts.`,
      `install -d -o ${user} -m 750 ${directory}`,
    ),
  ]
}

/** The members of `pgbackrest info --output=json` that are read here. */
const info = z.array(
  z.object({
    name: z.string(),
    status: z.object({ code: z.number(), message: z.string() }),
    backup: z.array(
      z.object({ label: z.string(), error: z.boolean().nullish(), timestamp: z.object({ stop: z.number() }) }),
    ),
  }),
)

async function checkBackups(context: Context, stanza: string): Promise<{ summary: string; findings: CheckFinding[] }> {
  const user = findUser('postgres') === undefined ? 'root' : 'postgres'
  const command = ['pgbackrest', `--stanza=${stanza}`, '--output=json', 'info']
  const ofUser = commandAs(user, command)
  if (!ofUser) throw new NotChecked(`Only root and ${user} can read the backups.`, asRoot(context))
  const asPostgres = `sudo -u ${user} pgbackrest --stanza=${stanza}`
  const failed = (cause: string, fix: string) => ({ summary: '', findings: [problem(cause, fix)] })
  try {
    const { code, stdout, stderr } = await runProgram(context, ofUser)
    if (code !== 0)
      return failed(`pgBackRest cannot read the backups: ${lastError(`${stderr}${stdout}`)}.`, `${asPostgres} check`)
    const [found] = info.parse(JSON.parse(stdout)).filter(({ name }) => name === stanza)
    if (!found || found.status.code === 1)
      return failed(`pgBackRest has no stanza ${stanza}.`, `${asPostgres} stanza-create`)
    const last = found.backup.filter(({ error }) => !error).at(-1)
    if (!last)
      return failed(
        `The stanza ${stanza} has no complete backup (${found.status.message}).`,
        `${asPostgres} --type=full backup`,
      )
    const hours = (context.clock.now().getTime() / 1_000 - last.timestamp.stop) / 3_600
    const age = `The last backup (${last.label}) ended ${hours.toFixed(0)} hours ago`
    const findings = [
      ...(hours > oldestHours
        ? [
            problem(
              `${age}.`,
              `${asPostgres} backup; then see why the timer did not: systemctl list-timers 'broadside-backup*'`,
            ),
          ]
        : []),
      ...(found.status.code !== 0
        ? [problem(`pgBackRest reports: ${found.status.message}.`, `${asPostgres} check`)]
        : []),
    ]
    return { summary: `${age}, and WAL is archived.`, findings }
  } catch (error) {
    if (codeOf(error) === 'ENOENT')
      return failed('BACKUP_STANZA is set, but pgBackRest is not installed here.', 'apt-get install pgbackrest')
    throw error
  }
}

const lastError = (output: string) => /ERROR: \[\d+\]: ([^\n]*)/.exec(output)?.[1] ?? 'it gives no reason'

/** Without archived WAL, a restore ends at the last backup. */
async function checkArchive(context: Context): Promise<CheckFinding[]> {
  return await withAnyRole(context, async (client: pg.Client) => {
    const { rows } = await client.query<{ failing: boolean; mode: string; wal: string | null }>(
      `select current_setting('archive_mode') as mode, last_failed_wal as wal,
         coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as failing
       from pg_stat_archiver`,
    )
    const { failing, mode, wal } = rows[0] ?? { failing: false, mode: 'on', wal: null }
    if (mode === 'off')
      return [
        problem(
          'PostgreSQL archives no WAL (archive_mode is off): a restore would end at the last backup.',
          "Set archive_mode = on and archive_command = 'pgbackrest --stanza=… archive-push %p' in postgresql.conf, then: systemctl restart postgresql",
        ),
      ]
    if (!failing) return []
    return [
      problem(
        `PostgreSQL cannot archive ${wal}: the archive is behind.`,
        'journalctl -u postgresql -n 50 shows why; then: pgbackrest check',
      ),
    ]
  }).catch((error: unknown) => {
    // The check of the database says so.
    if (error instanceof NotChecked) return []
    throw error
  })
}
