import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Migration, readMigrations, readPreviousRelease } from '../../src/platform/database/migration-files.ts'
import { migrate } from '../../src/platform/database/migrations.ts'
import { emptyDatabase, type OwnDatabase } from '../services/databases.ts'
import { repoDir } from '../services/state.ts'

export type Checkout = { commit: string; folder: string; program: string; migrations: Migration[] } & Disposable

/** True if this clone has the commit of the previous release. A shallow clone may not. */
export async function hasPreviousRelease(): Promise<boolean> {
  const { commit } = await readPreviousRelease()
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: repoDir }).status === 0
}

/** The code of the previous release in a folder of its own, with the dependencies of this one. */
export async function openPreviousRelease(): Promise<Checkout> {
  const { commit } = await readPreviousRelease()
  const folder = mkdtempSync(join(tmpdir(), 'broadside-previous-'))
  // Other users run parts of it.
  chmodSync(folder, 0o755)
  // The client has moved: the archive takes it from where that release has it.
  const client = `$(git ls-tree --name-only ${commit} client/src clients/typescript/src)`
  const archive = `git archive ${commit} src model/server model/weights model/package.json ${client} migrations deploy package.json | tar -x -C '${folder}'`
  const { status, stderr } = spawnSync('bash', ['-o', 'pipefail', '-c', archive], { cwd: repoDir, encoding: 'utf8' })
  if (status !== 0) throw new Error(`The previous release ${commit} could not be read from git: ${stderr}`)
  symlinkSync(join(repoDir, 'node_modules'), join(folder, 'node_modules'))
  return {
    commit,
    folder,
    program: join(folder, 'src/bin/broadside.ts'),
    migrations: await readMigrations(pathToFileURL(`${folder}/migrations/`)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A database as the previous release made it: its schema and its queues. */
export async function previousDatabase(purpose: string, previous: Checkout): Promise<OwnDatabase> {
  const database = await emptyDatabase(purpose)
  await migrate(database.urls.migrator, previous.migrations, new Date())
  const { prepareQueues } = await import(pathToFileURL(join(previous.folder, 'src/jobs/prepare-queues.ts')).href)
  await prepareQueues(database.urls.migrator)
  return database
}
