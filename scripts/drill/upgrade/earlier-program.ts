import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../../../src/bin/command.ts'
import { type Migration, readMigrations } from '../../../src/platform/database/migration-files.ts'
import { migrate } from '../../../src/platform/database/migrations.ts'
import { emptyDatabase, type OwnDatabase } from '../../../tooling/services/databases.ts'
import { repoDir } from '../../../tooling/services/state.ts'

export type Checkout = { commit: string; folder: string; program: string; migrations: Migration[] } & Disposable

/** The program of a commit in its own folder, with the dependencies of this checkout. */
export async function openCheckout(commit: string): Promise<Checkout> {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-earlier-'))
  // Other users run parts of it.
  chmodSync(folder, 0o755)
  const parts = ['src', 'model/server', 'model/weights', 'model/package.json', 'clients/typescript/src', 'migrations']
  const archive = spawnSync('git', ['archive', commit, ...parts, 'deploy', 'package.json'], {
    cwd: repoDir,
    maxBuffer: 2 ** 30,
  })
  if (archive.status !== 0) throw new CommandError(`git cannot read the commit ${commit}: ${archive.stderr}`)
  spawnSync('tar', ['-x', '-C', folder], { input: archive.stdout })
  symlinkSync(join(repoDir, 'node_modules'), join(folder, 'node_modules'))
  return {
    commit,
    folder,
    program: join(folder, 'src/bin/broadside.ts'),
    migrations: await readMigrations(pathToFileURL(`${folder}/migrations/`)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A database as that program made it: its schema and its queues. */
export async function databaseOf(earlier: Checkout): Promise<OwnDatabase> {
  const database = await emptyDatabase('drill')
  await migrate(database.urls.migrator, earlier.migrations, new Date())
  const { prepareQueues } = await import(pathToFileURL(join(earlier.folder, 'src/jobs/prepare-queues.ts')).href)
  await prepareQueues(database.urls.migrator)
  return database
}
