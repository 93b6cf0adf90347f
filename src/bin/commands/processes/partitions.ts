import pg from 'pg'
import { systemClock } from '../../../platform/clock.ts'
import { connect } from '../../../platform/database/database.ts'
import { readMigrations } from '../../../platform/database/migration-files.ts'
import { readSchemaStatus } from '../../../platform/database/migrations.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { cancelDivision, type Division, divideSearchEntries, readDivision } from '../../../search/partitions/divide.ts'
import { addSearchMonths } from '../../../search/partitions/months.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { showProgress } from '../../progress.ts'

const partitionsCommand: Command = {
  usage: 'database partitions',
  summary: 'Shows the partitions of the search entries, divides the entries by month, or adds months.',
  details:
    'Without an option it prints one line of JSON. --divide moves all entries into partitions by month. Run it once, when ' +
    'every process runs this version. Search and publishing go on meanwhile; it needs free disk space of the size of the ' +
    'table. If it is interrupted, run it again, or undo its work with --cancel.',
  options: {
    divide: { type: 'boolean', description: 'Divide the entries by month.' },
    cancel: { type: 'boolean', description: 'Remove what an interrupted --divide has copied.' },
    'add-months': {
      type: 'boolean',
      description: 'Create the partitions of the coming year, as a job does every night.',
    },
  },
  run: async ({ environment, flags }) => {
    const { MIGRATOR_DATABASE_URL: url } = readSettings(environment, ['MIGRATOR_DATABASE_URL'])
    await withClient(url, async (client) => {
      const division = await readDivision(client)
      if (flags['cancel']) await cancel(client, division)
      if (flags['divide']) await divide(client, url, division)
      if (flags['add-months']) await addMonths(url)
      const { state, partitions } = await readDivision(client)
      printJson({ search: { state, partitions } })
    })
  },
}

async function cancel(client: pg.Client, { state }: Division): Promise<void> {
  if (state !== 'dividing') throw new CommandError('Nothing is being divided.')
  await cancelDivision(client)
}

async function divide(client: pg.Client, url: string, { state }: Division): Promise<void> {
  if (state === 'by month') throw new CommandError('The entries are divided already.')
  const refuseOld = async () => {
    const [name] = await olderProcesses(url)
    if (name)
      throw new CommandError(
        `A process of an older version still runs: ${name}. It would find no posts. Restart it with this version first.`,
      )
  }
  await refuseOld()
  await divideSearchEntries(client, {
    ...{ at: systemClock.now(), onProgress: showProgress('entries copied:'), beforeSwap: refuseOld },
  })
}

async function addMonths(url: string): Promise<void> {
  await using connection = connect(url, { poolMax: 1, applicationName: 'broadside partitions' })
  await addSearchMonths(connection.db, systemClock.now())
}

const olderProcesses = async (url: string) => (await readSchemaStatus(url, await readMigrations())).older_processes

async function withClient(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'broadside partitions' })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

export const commands: readonly Command[] = [partitionsCommand]
