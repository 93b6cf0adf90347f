import { sql } from 'kysely'
import { connect, type Database, type Transaction } from '../../../platform/database/database.ts'
import { openPages } from '../../../platform/page-store/open-pages.ts'
import { pagesPlaceFrom, pagesSettings } from '../../../platform/page-store/pages-settings.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { logPostsAgain } from '../../../posts/public/sign-post.ts'
import { logDecisionsAgain, readWaitingDecisions } from '../../../posts/status/logged-decision.ts'
import { logFolder, readerOfLog, readLogHead } from '../../../transparency-log/log.ts'
import { closeReasons, readLostCheckpoint, startNewLog, UsedName } from '../../../transparency-log/start-new-log.ts'
import { verifyLog } from '../../../transparency-log/verify-log.ts'
import { type Command, CommandError, printJson, UsageError } from '../../command.ts'
import { asOperator, audited } from '../../operator.ts'
import { showProgress } from '../../progress.ts'
import { logSignerFrom } from '../../proofs.ts'

const verifyLogCommand: Command = {
  usage: 'log verify',
  summary: 'Recomputes the transparency log and compares it with its checkpoints and published files.',
  details: 'Exits with code 1 if something differs or the log has stopped.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, ['READER_DATABASE_URL', ...pagesSettings])
    await using connection = connect(settings.READER_DATABASE_URL, {
      poolMax: 1,
      applicationName: 'broadside log verify',
      statementTimeoutMs: 0,
      acceptsReadOnly: true,
    })
    await using pages = openPages(pagesPlaceFrom(settings))
    const origin = (await readLogHead(connection.db))?.origin ?? ''
    const store = readerOfLog(pages.siteReader(logFolder), origin)
    const { size, publishedSize, stoppedReason, faults } = await verifyLog(
      connection.db,
      store,
      showProgress('verified'),
    )
    const ok = faults.length === 0 && stoppedReason === null
    printJson({ size, published_size: publishedSize, stopped: stoppedReason, ok, ...(faults.length > 0 && { faults }) })
    if (!ok)
      throw new CommandError(
        [
          stoppedReason ? `The transparency log has stopped: ${stoppedReason}.` : 'The transparency log has faults.',
          'Change nothing and follow docs/runbooks/transparency-log.md.',
        ].join('\n'),
      )
  },
}

const resumeLogCommand: Command = {
  usage: 'log resume',
  summary: 'Lets a stopped transparency log go on, after its cause was removed.',
  details: 'Workers compare database and files again at once, and stop again if they still differ.',
  options: {
    'files-lost': {
      type: 'boolean',
      description:
        'The published files are lost or damaged, and the database was not restored: write them again from the database.',
    },
  },
  run: async ({ flags, environment }) => {
    const filesLost = flags['files-lost'] === true
    const outcome = await asOperator(environment, (db, at) =>
      audited(
        db,
        { action: 'log.resume', accountId: null, at, details: { files_lost: Number(filesLost) } },
        async (tx) => {
          const { numUpdatedRows } = await tx
            .updateTable('log_head')
            .set({ stopped_reason: null, stopped_at: null, files_lost: filesLost })
            .where('stopped_reason', 'is not', null)
            .executeTakeFirstOrThrow()
          return numUpdatedRows > 0n ? 'done' : 'already'
        },
      ),
    )
    printJson({ resumed: outcome !== 'already' })
  },
}

const startNewLogCommand: Command = {
  usage: 'log start-new <reason>',
  summary: 'Closes the transparency log for good and starts another one, with a new address and a new key.',
  details:
    `The reason is published: ${closeReasons.join(', ')}. First stop all workers, and set LOG_URL and LOG_SIGNING_KEY to the new ` +
    'address and key. All public posts get an entry in the new log, with the signatures that they have. If the command was ' +
    'interrupted, run it again. See docs/runbooks/transparency-log.md.',
  run: async ({ values, environment }) => {
    const reason = closeReasons.find((each) => each === values['reason'])
    if (!reason) throw new UsageError(`The reason is one of: ${closeReasons.join(', ')}.`)
    const settings = readSettings(environment, ['LOG_URL', 'LOG_SIGNING_KEY', ...pagesSettings])
    const { LOG_URL: url, LOG_SIGNING_KEY: keys } = settings
    const [named] = keys
    if (!url || !named)
      throw new CommandError('Set LOG_URL to the new address, such as https://messages.example/log/2.')
    const signer = logSignerFrom(named.key, url)
    await using pages = openPages(pagesPlaceFrom(settings))
    const store = pages.siteReader(logFolder)
    const outcome = await asOperator(environment, async (db, at) => {
      const published = await readLostCheckpoint(db, store)
      const outcome = await closeAndStart(db, { signer, reason, published, at })
      await logPostsAgain(db, signer.name)
      return outcome
    })
    printJson({ started: outcome === 'done', origin: signer.name, vkey: signer.verifierKey })
  },
}

function closeAndStart(db: Database, start: Parameters<typeof startNewLog>[1]) {
  const { signer, reason, at } = start
  const details = { reason, origin: signer.name }
  return audited(db, { action: 'log.start_new', accountId: null, at, details }, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    const waiting = await readWaitingDecisions(tx)
    const outcome = await startNewLog(tx, start)
    if (outcome === 'already') return outcome
    await refuseWhileWorkersRun(tx)
    await logDecisionsAgain(tx, waiting)
    return outcome
  }).catch((error) => {
    throw error instanceof UsedName ? new CommandError(error.message) : error
  })
}

/** They would sign for the old log. */
async function refuseWhileWorkersRun(tx: Transaction): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name like 'broadside worker%'`.execute(tx)
  if (rows.length > 0)
    throw new CommandError('A worker is connected to the database. Stop all workers, then run this command again.')
}

export const commands: readonly Command[] = [verifyLogCommand, resumeLogCommand, startNewLogCommand]
