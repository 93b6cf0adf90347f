import { openErasureLog } from '../../../erasures/erasure-log.ts'
import { endAllSessions, replayErasures } from '../../../erasures/replay-erasures.ts'
import { systemClock } from '../../../platform/clock.ts'
import { connect, inTransaction } from '../../../platform/database/database.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { actorName, audited } from '../../operator.ts'
import { showProgress } from '../../progress.ts'
import { sitesFromSettings } from '../../sites.ts'

/** The clock of a worker may differ a little from the database's. Repeating what was there already changes nothing. */
const marginMs = 600_000

const replayCommand: Command = {
  usage: 'erasures replay',
  summary: 'After a restore: repeats the deletions, removals and revocations since then from the erasure log.',
  details:
    'Run it on the restored database before any process starts. It closes accounts, deletes and removes posts, deletes webhooks, ' +
    'revokes keys and passkeys, disables staff, and ends all sessions of owners and staff. A removal for abuse has its penalty ' +
    'and strike again. It is safe to repeat. Uses MIGRATOR_DATABASE_URL. Prints counts: done, already (the backup has it) and ' +
    'absent (it did not exist at that time).',
  options: {
    since: { type: 'string', description: 'The time that was restored, such as 2026-11-17T12:00:00Z. Required.' },
    log: { type: 'string', description: 'Directory of the log. Default: ERASURE_LOG.' },
  },
  run: async ({ flags, environment }) => {
    const settings = readSettings(environment, ['MIGRATOR_DATABASE_URL', 'SITES', 'ERASURE_LOG'])
    const since = readSince(flags['since'])
    const directory = flags['log'] === undefined ? settings.ERASURE_LOG : String(flags['log'])
    if (!directory) throw new CommandError('Set ERASURE_LOG, or pass the directory of the log with --log.')
    const log = openErasureLog(directory)
    const { erasures, unreadable } = await log.read(new Date(since.getTime() - marginMs)).catch((error) => {
      throw new CommandError(`The erasure log in ${directory} cannot be read (${error.code ?? error.message}).`)
    })
    await using connection = connect(settings.MIGRATOR_DATABASE_URL, {
      ...{ poolMax: 2, applicationName: 'broadside erasures replay', statementTimeoutMs: 0 },
    })
    const { db } = connection
    const at = systemClock.now()
    const sites = sitesFromSettings(settings.SITES)
    const replay = { db, sites, erasures, actor: actorName(), at, onProgress: showProgress('repeated') }
    const counts = await replayErasures(replay)
    const ended = await inTransaction(db, (tx) => endAllSessions(tx, at))
    const details = { since: since.toISOString(), lines: erasures.length, sessions_ended: ended }
    await audited(db, { action: 'erasures.replay', accountId: null, at, details }, async () => 'done')
    printJson({ ...details, ...counts, unreadable })
    if (unreadable.length > 0)
      throw new CommandError(
        `${unreadable.length} lines of the log cannot be read. Everything else was repeated. A line that a crash cut off was written again after it; for any other, see docs/runbooks/backup.md.`,
      )
  },
}

function readSince(text: string | boolean | undefined): Date {
  const time = new Date(String(text))
  if (/^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(String(text)) && !Number.isNaN(time.getTime())) return time
  throw new CommandError('--since must be the restored time with its zone, such as 2026-11-17T12:00:00Z.')
}

export const commands: readonly Command[] = [replayCommand]
