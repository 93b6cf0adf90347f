import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBinaries } from '../../../tooling/services/postgres.ts'
import { asUser, giveTo, repoDir } from '../../../tooling/services/state.ts'
import { run } from '../../../tooling/shell.ts'
import { type Service, volumePath } from './compose.ts'
import { type Place, type Started, startProgram } from './container.ts'

/**
 * Debian’s PostgreSQL in the place of the official image: the same command, password, options of initdb, network and
 * user name, on the same volume.
 */
export async function startPostgresService(service: Service, place: Place): Promise<Started> {
  const [volume] = service.volumes
  const data = join(volumePath(place.folder, volume?.source ?? ''), 'data')
  const bin = findBinaries(data)
  if (!existsSync(join(data, 'PG_VERSION'))) {
    mkdirSync(data, { recursive: true })
    const password = join(place.folder, 'postgres-password')
    copyFileSync(join(place.secretsFolder, 'POSTGRES_PASSWORD'), password)
    for (const path of [data, password]) giveTo('postgres', path)
    const options = (service.environment['POSTGRES_INITDB_ARGS'] ?? '').split(' ')
    const initdb = [join(bin, 'initdb'), '--pgdata', data, '--username=postgres', `--pwfile=${password}`, ...options]
    const [program = '', ...args] = asUser('postgres', initdb)
    await run(program, args)
    rmSync(password)
    // As the entrypoint of the official image does.
    writeFileSync(
      join(data, 'pg_hba.conf'),
      'local all all trust\nhost all all 127.0.0.1/32 trust\nhost all all all scram-sha-256\n',
    )
  }
  const [, ...options] = service.command
  const own = ['-D', data, '-c', 'listen_addresses=*', '-c', `unix_socket_directories=${data}`]
  const server = asUser('postgres', [join(bin, 'postgres'), ...own, ...options])
  return startProgram(service, place, ['ip', 'netns', 'exec', place.network.namespaceOf(service.name), ...server])
}

/** The inbox of the development environment in the place of the mail catcher. */
export function startMailService(service: Service, place: Place): Started {
  const inbox = ['env', 'SMTP_HOST=0.0.0.0', 'SMTP_PORT=1025', 'INBOX_PORT=8025', process.execPath]
  const program = join(repoDir, 'tooling/services/inbox.ts')
  return startProgram(service, place, [
    ...['ip', 'netns', 'exec', place.network.namespaceOf(service.name)],
    ...inbox,
    program,
  ])
}
