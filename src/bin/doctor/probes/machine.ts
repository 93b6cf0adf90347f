import { existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { isLocal, queryRows, roleUrls } from '../databases.ts'
import { asRoot, type Context, canTell, must, NotChecked, type Probe, should } from '../probe.ts'
import { commandAs, run } from '../programs.ts'
import { mayUseAll } from './pages.ts'

/** Least free share, and least free bytes. */
const least = { problem: { share: 0.03, bytes: 100 * 2 ** 20 }, warning: { share: 0.1, bytes: 2 ** 30 } }

const postgresFolder = '/var/lib/postgresql'

export const diskProbe: Probe = {
  name: 'disk',
  expects: 'the disks of the pages and of the database have free space and inodes',
  look: async (context) => {
    const { PAGES_DIRECTORY, PAGES_STORE } = context.read(['PAGES_DIRECTORY', 'PAGES_STORE'])
    const isDatabaseHere = roleUrls(context).some(({ url }) => isLocal(url)) && existsSync(postgresFolder)
    return [
      ...(PAGES_STORE === 'directory' ? examineDisk('pages', nearest(PAGES_DIRECTORY)) : []),
      ...(isDatabaseHere ? examineDisk('database', postgresFolder) : []),
    ]
  },
}

/** The directory, or the lowest existing one above it. */
const nearest = (path: string): string => (existsSync(path) || path === '/' ? path : nearest(dirname(path)))

function examineDisk(what: string, path: string) {
  const { bavail, bsize, blocks, ffree, files } = statfsSync(path)
  const bytes = bavail * bsize
  const size = (count: number) => `${(count / 2 ** 20).toFixed(1)} MiB`
  const has = `The file system of the ${what} (${path}) has`
  const below = ({ share, bytes: fewest }: typeof least.problem) => bytes < fewest || bytes / blocks / bsize < share
  // Some file systems have no fixed number of inodes.
  const scarce = ({ share }: typeof least.problem) => files > 0 && ffree / files < share
  return [
    (below(least.problem) ? must : should)(
      !below(least.warning),
      `${has} ${size(bytes)} of ${size(blocks * bsize)} free.`,
      `Free space or enlarge it. What uses it: du -xh --max-depth=2 ${path} | sort -h | tail -20`,
    ),
    (scarce(least.problem) ? must : should)(
      !scarce(least.warning),
      `${has} ${ffree} of ${files} inodes free.`,
      `Delete files, or make a file system with more inodes. What uses them: find ${path} -xdev -printf '%h\\n' | sort | uniq -c | sort -n | tail -20`,
    ),
  ]
}

/** A daily backup that takes two hours. */
const oldestHours = 26

/** The members of `pgbackrest info --output=json` that are read here. */
const info = z.array(
  z.object({
    name: z.string(),
    status: z.object({ code: z.number(), message: z.string() }),
    backup: z.array(
      z.object({ label: z.string(), error: z.boolean().nullish(), timestamp: z.object({ stop: z.number() }) }),
    ),
  }),
)

export const backupProbe: Probe = {
  name: 'backup',
  expects: 'the last backup is recent and on another disk, and WAL is archived',
  look: async (context) => {
    const { BACKUP_STANZA: stanza } = context.read(['BACKUP_STANZA'])
    const setUp = 'Set up pgBackRest and BACKUP_STANZA as in docs/runbooks/backup.md.'
    if (!stanza) return [should(false, 'No backup is configured: BACKUP_STANZA is not set.', setUp)]
    return [...(await examineBackups(context, stanza)), examineRepository(context), ...(await examineArchive(context))]
  },
}

async function examineBackups(context: Context, stanza: string) {
  const command = commandAs('postgres', ['pgbackrest', `--stanza=${stanza}`, '--output=json', 'info'])
  if (!command) throw new NotChecked('Only root and postgres can read the backups.', asRoot(context))
  const asPostgres = `runuser -u postgres -- pgbackrest --stanza=${stanza}`
  const { code, stdout, stderr } = await run(context, command)
  if (code !== 0) {
    const check = `apt-get install pgbackrest; ${asPostgres} check. See docs/runbooks/backup.md.`
    return [must(false, `pgBackRest cannot read the backups (${code}): ${`${stderr}${stdout}`.trim()}.`, check)]
  }
  const found = info.parse(JSON.parse(stdout)).find(({ name }) => name === stanza)
  const last = found?.backup.findLast(({ error }) => !error)
  if (!found || !last) {
    const create = `${asPostgres} stanza-create && ${asPostgres} --type=full backup`
    return [
      must(
        false,
        `The stanza ${stanza} has no complete backup (${found?.status.message ?? 'no such stanza'}).`,
        create,
      ),
    ]
  }
  const hours = (context.clock.now().getTime() / 1_000 - last.timestamp.stop) / 3_600
  return [
    must(
      hours <= oldestHours,
      `The last backup (${last.label}) ended ${hours.toFixed(0)} hours ago.`,
      `${asPostgres} backup; then see why the timer did not: systemctl list-timers 'broadside-backup*'`,
    ),
    must(found.status.code === 0, `pgBackRest reports: ${found.status.message}.`, `${asPostgres} check`),
  ]
}

/** A repository on the disk of the database is lost with it. Other machines and object stores have no path here. */
function examineRepository({ environment }: Context) {
  const files = [environment['PGBACKREST_CONFIG'], '/etc/pgbackrest/pgbackrest.conf', '/etc/pgbackrest.conf']
  const file = files.find((path) => path && existsSync(path))
  const text = file ? readFileSync(file, 'utf8') : ''
  const read = (name: string) => new RegExp(`^${name}\\s*=\\s*(.*?)\\s*$`, 'm').exec(text)?.[1]
  const [repository = '/var/lib/pgbackrest', data = ''] = [read('repo1-path'), read('pg1-path')]
  const isElsewhere = read('repo1-host') ?? read('pg1-host') ?? (read('repo1-type') ?? 'posix') !== 'posix'
  const diskOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.dev
  return should(
    Boolean(isElsewhere) || diskOf(data) === undefined || diskOf(data) !== diskOf(repository),
    `The backups in ${repository} are on the disk of the database, and are lost with it.`,
    `Mount a disk of another machine at ${repository}, or use an object store: repo1-type=s3 in ${file}. See docs/runbooks/backup.md.`,
  )
}

/** Without archived WAL, a restore ends at the last backup. */
async function examineArchive(context: Context) {
  const [archive] = await queryRows<{ is_on: boolean; failing: string | null }>(
    context,
    `select current_setting('archive_mode') <> 'off' as is_on,
       case when last_failed_time > coalesce(last_archived_time, '-infinity') then last_failed_wal end as failing
     from pg_stat_archiver`,
  )
  return [
    must(
      archive?.is_on ?? true,
      'PostgreSQL archives no WAL (archive_mode is off): a restore would end at the last backup.',
      'Install deploy/pgbackrest/postgresql.conf as in docs/runbooks/backup.md, then restart PostgreSQL.',
    ),
    must(
      !archive?.failing,
      `PostgreSQL cannot archive ${archive?.failing}: the archive is behind.`,
      'journalctl -u postgresql -n 50 shows why; then: pgbackrest check',
    ),
  ]
}

/** Closed accounts are not cleared before the workers have written them there. */
export const erasuresProbe: Probe = {
  name: 'erasures',
  expects: 'the workers can write the erasure log',
  look: async (context) => {
    const { ERASURE_LOG: directory, SERVICE_USER: user } = context.read(['ERASURE_LOG', 'SERVICE_USER'])
    // The probe of the settings says that it is missing.
    if (!directory || !context.isProduction) return []
    const create = `install -d -o ${user} -m 750 ${directory}`
    const isThere = must(
      existsSync(directory),
      `The erasure log ${directory} does not exist, so closed accounts are not cleared.`,
      create,
    )
    return [isThere, ...(await mayUseAll(context, user, [directory], '-w', create))]
  },
}

const patroniCheck = fileURLToPath(new URL('../../../../deploy/patroni/check', import.meta.url))

export const patroniProbe: Probe = {
  name: 'patroni',
  expects: 'Patroni, if used, has no setting that loses acknowledged rows',
  look: async (context) => {
    const { PATRONI_CONFIG = '/etc/patroni/config.yml' } = context.read(['PATRONI_CONFIG'])
    if (!existsSync(PATRONI_CONFIG)) return []
    const { code, stdout, stderr } = await run(context, [patroniCheck, PATRONI_CONFIG])
    const expect = code === 2 ? canTell : must
    return [expect(code === 0, `${stdout}${stderr}`, `See docs/runbooks/failover.md; then: ${patroniCheck}`)]
  },
}
