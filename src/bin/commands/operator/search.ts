import { connect } from '../../../platform/database/database.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { reindex } from '../../../search/reindex.ts'
import { type Command, printJson } from '../../command.ts'
import { showProgress } from '../../progress.ts'
import { sitesFromSettings } from '../../sites.ts'

const reindexCommand: Command = {
  usage: 'reindex',
  summary: 'Rebuilds the search index from the listed posts.',
  details:
    'Run it once after an upgrade that changes how words are indexed; the changelog says so. Search stays available. ' +
    'If it is stopped, run it again.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, ['SITES', 'WORKER_DATABASE_URL'])
    await using connection = connect(settings.WORKER_DATABASE_URL, {
      ...{ poolMax: 1, applicationName: 'broadside reindex', statementTimeoutMs: 0 },
    })
    const posts = await reindex(connection.db, sitesFromSettings(settings.SITES), showProgress('posts indexed:'))
    printJson({ posts })
  },
}

export const commands: readonly Command[] = [reindexCommand]
