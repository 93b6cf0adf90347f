import { connect } from '../../../platform/database/database.ts'
import { openPages } from '../../../platform/page-store/open-pages.ts'
import { pagesPlaceFrom, pagesSettings } from '../../../platform/page-store/pages-settings.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { logFolder } from '../../../transparency-log/log.ts'
import { verifyLog } from '../../../transparency-log/verify-log.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { asOperator, audited } from '../../operator.ts'
import { showProgress } from '../../progress.ts'

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
    const store = pages.siteReader(logFolder)
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
  details: 'Workers compare database, files and witnesses again at once, and stop again if they still differ.',
  options: {
    'files-lost': {
      type: 'boolean',
      description:
        'The published files are lost, and the database was not restored: write them again from the database.',
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
            .set({ stopped_reason: null, stopped_at: null, resumed_at: at, files_lost: filesLost })
            .where('stopped_reason', 'is not', null)
            .executeTakeFirstOrThrow()
          return numUpdatedRows > 0n ? 'done' : 'already'
        },
      ),
    )
    printJson({ resumed: outcome !== 'already' })
  },
}

export const commands: readonly Command[] = [verifyLogCommand, resumeLogCommand]
