import { connect } from '../../platform/database.ts'
import { readSettings } from '../../platform/settings.ts'
import { reindex } from '../../search/reindex.ts'
import { type Command, printJson } from '../command.ts'
import { showProgress } from '../progress.ts'
import { sitesOf } from '../sites-of.ts'

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
    const posts = await reindex(connection.db, sitesOf(settings.SITES), showProgress('posts indexed:'))
    printJson({ posts })
  },
}

export const commands: readonly Command[] = [reindexCommand]
