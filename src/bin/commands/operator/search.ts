import { connect } from '../../../platform/database/database.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { reindex } from '../../../search/reindex.ts'
import { type Command, printJson } from '../../command.ts'
import { showProgress } from '../../progress.ts'
import { sitesFromSettings } from '../../sites.ts'

const reindexCommand: Command = {
  usage: 'reindex',
  summary: 'Writes anew what search looks through, from the posts that stand in the lists.',
  details:
    'Needed once after a version that reads words otherwise, which its changelog says. Search goes on meanwhile; ' +
    'stopped half-way, it may be run again.',
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
