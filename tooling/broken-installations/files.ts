import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gatewaySettings, productionGateway } from '../../src/bin/commands/processes/gateway.ts'
import { gatewayFiles, writeGatewayFiles } from '../../src/bin/gateway/configuration.ts'
import { allDocuments } from '../../src/documents/all-documents.ts'
import { deploymentFrom, deploymentSettings } from '../../src/documents/deployment.ts'
import { bySite } from '../../src/documents/write-documents.ts'
import { openPageStore } from '../../src/platform/page-store/page-store.ts'
import { openSiteTree } from '../../src/platform/page-store/site-tree.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { runNginx } from '../services/nginx.ts'
import { giveTo } from '../services/state.ts'
import { type BrokenSetup, type Installation, programThatPrints } from './installation.ts'

/** A new pages directory for one set-up, owned by the service’s user. */
function newPages(
  { folder, environment }: Installation,
  name: string,
): NodeJS.ProcessEnv & { PAGES_DIRECTORY: string } {
  const PAGES_DIRECTORY = join(folder, name, 'pages')
  mkdirSync(PAGES_DIRECTORY, { recursive: true })
  giveTo('nobody', PAGES_DIRECTORY)
  return { ...environment, PAGES_DIRECTORY }
}

/** The configuration that `broadside gateway` would write for these settings. */
const configurationOf = (environment: NodeJS.ProcessEnv) =>
  gatewayFiles(productionGateway(readSettings(environment, gatewaySettings), String(environment['GATEWAY_DIRECTORY'])))

async function startGateway(environment: NodeJS.ProcessEnv, stack: AsyncDisposableStack): Promise<void> {
  const gateway = await runNginx({
    directory: String(environment['GATEWAY_DIRECTORY']),
    files: configurationOf(environment),
    ports: [Number(environment['GATEWAY_LISTEN'])],
    detached: false,
  })
  stack.defer(() => gateway.stop())
}

/** A mounted file system of this size, or false if this machine allows none. */
function mountSmall(path: string, options: string, stack: AsyncDisposableStack): boolean {
  mkdirSync(path, { recursive: true })
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'broadside-doctor', path]).status !== 0) return false
  stack.defer(() => void spawnSync('umount', [path]))
  return true
}

const canMount = () => process.getuid?.() === 0 && existsSync('/proc/self/mounts')

export const fileSetups: readonly BrokenSetup[] = [
  {
    name: 'settings are missing, invalid and misspelt',
    only: 'settings',
    breaks: async ({ environment }) => ({ ...environment, API_PORT: 'ninety', SITES: '', GATEWAY_LSITEN: '443' }),
    cause:
      /SITES: missing[\s\S]*API_PORT: invalid[\s\S]*There is no setting GATEWAY_LSITEN\. Did you mean GATEWAY_LISTEN\?/,
    fix: /Edit API_PORT in \/etc\/broadside\/broadside\.env, then: systemctl restart broadside\.target/,
  },
  {
    name: 'values for development are used in production',
    only: 'settings',
    breaks: async ({ environment }) => ({
      ...environment,
      ACCOUNT_PAGE_URL: 'http://account.broadside.test',
      STRIPE_SECRET_KEY: 'sk_test_development_key',
      OUTBOUND_TEST_RANGES: '127.0.0.0/8',
    }),
    cause: /ACCOUNT_PAGE_URL: must use https in production[\s\S]*STRIPE_SECRET_KEY: must not be a test key/,
    fix: /Write it to \/etc\/broadside\/secrets\/STRIPE_SECRET_KEY/,
  },
  {
    name: 'production has no erasure log',
    only: 'settings',
    breaks: async ({ environment }) => ({ ...environment, ERASURE_LOG: '' }),
    cause: /ERASURE_LOG must be set in production: without it, a restored backup brings back what was deleted since/,
    fix: /Edit ERASURE_LOG in \/etc\/broadside\/broadside\.env/,
  },
  {
    name: 'other users can read a secret',
    only: 'settings',
    breaks: async ({ environment, folder }) => {
      const file = join(folder, 'DESK_SECRET')
      writeFileSync(file, String(environment['DESK_SECRET']))
      chmodSync(file, 0o644)
      return { ...environment, DESK_SECRET: '', DESK_SECRET_FILE: file }
    },
    cause: /Other users can read \S+DESK_SECRET with DESK_SECRET: its mode is 644/,
    fix: /fix: chmod 600 \S+DESK_SECRET/,
  },
  {
    name: 'the fonts for cards are missing',
    only: 'cards',
    breaks: async ({ environment, folder }) => ({ ...environment, FONTS_DIRECTORY: join(folder, 'no-fonts') }),
    cause: /All cards are plain: 23 of 23 fonts are not in \S+no-fonts/,
    fix: /apt-get install -y --no-install-recommends fonts-noto-core fonts-droid-fallback fonts-nanum fonts-noto-color-emoji && systemctl restart/,
  },
  {
    name: 'the pages directory is missing',
    only: 'pages',
    breaks: async ({ environment, folder }) => ({ ...environment, PAGES_DIRECTORY: join(folder, 'nowhere', 'pages') }),
    cause: /The directory \S+nowhere\/pages does not exist/,
    fix: /install -d -o nobody -m 755 \S+ && broadside documents && broadside rebuild/,
  },
  {
    name: 'root owns the pages, everybody can write them, and the documents are missing',
    only: 'pages',
    breaks: async (installation) => {
      const environment = newPages(installation, 'owned-by-root')
      giveTo('root', environment.PAGES_DIRECTORY)
      mkdirSync(join(environment.PAGES_DIRECTORY, '.trees'))
      chmodSync(environment.PAGES_DIRECTORY, 0o777)
      return environment
    },
    cause:
      /Every user can write to \S+: its mode is 777[\s\S]*The workers cannot write to \S+\.trees as nobody[\s\S]*Documents are missing: \d+/,
    fix: /chmod 755[\s\S]*chown -R nobody: \S+pages[\s\S]*fix: broadside documents/,
  },
  {
    name: 'the gateway may not enter the folder above the pages, and a document is old',
    only: 'pages',
    breaks: async (installation) => {
      const environment = newPages(installation, 'closed')
      const settings = readSettings(environment, deploymentSettings)
      const documents = allDocuments(deploymentFrom(settings, new Date()))
      for (const [site, own] of bySite(documents)) {
        const tree = await openSiteTree(environment.PAGES_DIRECTORY, site)
        // A test needs no durability.
        await openPageStore(tree, { isSyncedLater: true }).apply(own)
      }
      const messages = openPageStore(join(environment.PAGES_DIRECTORY, 'messages'), { isSyncedLater: true })
      await messages.apply(new Map([['robots.txt', 'User-agent: *\n']]))
      giveTo('nobody', join(installation.folder, 'closed'))
      chmodSync(join(installation.folder, 'closed'), 0o700)
      return environment
    },
    cause:
      /Documents are from another version or other settings: 1 \(such as messages\/robots\.txt\)[\s\S]*The gateway cannot read \S+ as www-data: it may not enter \S+closed/,
    fix: /fix: broadside documents[\s\S]*chmod o\+x \S+closed/,
  },
  {
    name: 'the gateway is not set up',
    only: 'gateway',
    breaks: async ({ environment }) => environment,
    cause:
      /There is no \S+gateway\/nginx\.conf\.[\s\S]*The gateway does not run[\s\S]*nothing answers \(ECONNREFUSED\)/,
    fix: /broadside gateway \S+gateway && systemctl reload broadside-gateway[\s\S]*systemctl start broadside-gateway/,
  },
  {
    name: 'the settings changed after the gateway’s configuration was written, and no API process runs',
    only: 'gateway',
    breaks: async (installation, stack) => {
      const { environment } = installation
      await startGateway(environment, stack)
      return { ...environment, API_PROCESSES: '3' }
    },
    cause:
      /nginx\.conf differs from what the settings and this version give, first in line \d+[\s\S]*\/v1\/status: the gateway answers 50\d, because the api process does not answer/,
    fix: /broadside gateway \S+ && systemctl reload broadside-gateway[\s\S]*broadside doctor --only processes/,
  },
  {
    name: 'the gateway’s certificate file is gone',
    only: 'gateway',
    breaks: async ({ environment, folder }) => {
      const changed = {
        ...environment,
        GATEWAY_DIRECTORY: join(folder, 'without-certificate'),
        GATEWAY_CERTIFICATE: join(folder, 'gone.pem'),
      }
      mkdirSync(join(changed.GATEWAY_DIRECTORY, 'sockets'), { recursive: true })
      await writeGatewayFiles(changed.GATEWAY_DIRECTORY, configurationOf(changed))
      return changed
    },
    cause: /nginx does not accept the configuration: cannot load certificate/,
    fix: /Put the certificate with its chain and its key at GATEWAY_CERTIFICATE/,
  },
  ...(canMount()
    ? [
        {
          name: 'the disk of the pages is full',
          only: 'disk',
          breaks: async ({ environment, folder }: Installation, stack: AsyncDisposableStack) => {
            const path = join(folder, 'full')
            if (!mountSmall(path, 'size=4m', stack)) throw new Error('This machine cannot mount a tmpfs.')
            spawnSync('dd', ['if=/dev/zero', `of=${join(path, 'file')}`, 'bs=1M'])
            return { ...environment, PAGES_DIRECTORY: path }
          },
          cause: /The file system of the pages \(\S+full\) has 0\.0 MiB of 4\.0 MiB free/,
          fix: /What uses it: du -xh --max-depth=2 \S+full/,
        },
        {
          name: 'the disk of the pages has no inodes left',
          only: 'disk',
          breaks: async ({ environment, folder }: Installation, stack: AsyncDisposableStack) => {
            const path = join(folder, 'inodes')
            if (!mountSmall(path, 'size=2g,nr_inodes=20', stack)) throw new Error('This machine cannot mount a tmpfs.')
            for (let index = 0; index < 19; index += 1) writeFileSync(join(path, String(index)), '')
            return { ...environment, PAGES_DIRECTORY: path }
          },
          cause: /The file system of the pages \(\S+inodes\) has 0 of 20 inodes free/,
          fix: /Delete files, or make a file system with more inodes/,
        },
      ]
    : []),
  {
    name: 'no backup is configured',
    only: 'backup',
    breaks: async ({ environment }) => environment,
    cause: /No backup is configured: BACKUP_STANZA is not set/,
    fix: /apt-get install pgbackrest/,
  },
  {
    name: 'pgBackRest is not installed',
    only: 'backup',
    breaks: async ({ environment, folder }) => {
      const bin = join(folder, 'bin-without')
      rmSync(bin, { recursive: true, force: true })
      mkdirSync(bin)
      for (const name of ['setpriv', 'test']) symlinkSync(`/usr/bin/${name}`, join(bin, name))
      return { ...environment, PATH: bin, BACKUP_STANZA: 'broadside' }
    },
    cause: /BACKUP_STANZA is set, but pgBackRest is not installed here/,
    fix: /fix: apt-get install pgbackrest/,
  },
  {
    name: 'the last backup is old, and PostgreSQL archives no WAL',
    only: 'backup',
    breaks: async ({ environment, folder }) => ({
      ...environment,
      BACKUP_STANZA: 'broadside',
      PATH: programThatPrints(folder, 'pgbackrest', JSON.stringify(oldBackup)),
    }),
    cause: /The last backup \(20260101-020000F\) ended \d+ hours ago[\s\S]*archives no WAL \(archive_mode is off\)/,
    fix: /sudo -u postgres pgbackrest --stanza=broadside backup/,
  },
  {
    name: 'the workers cannot write the erasure log',
    only: 'backup',
    breaks: async ({ environment, folder }) => ({ ...environment, ERASURE_LOG: join(folder, 'no-erasures') }),
    cause: /The workers cannot write the erasure log to \S+no-erasures as nobody/,
    fix: /install -d -o nobody -m 750 \S+no-erasures/,
  },
  {
    name: 'Patroni 3.0.2 uses etcd3',
    only: 'patroni',
    breaks: async ({ environment, folder }) => {
      const file = join(folder, 'patroni.yml')
      writeFileSync(file, 'scope: broadside\nname: one\netcd3:\n  hosts: 10.0.0.1:2379,10.0.0.2:2379\n')
      return { ...environment, PATRONI_CONFIG: file, PATH: programThatPrints(folder, 'patroni', 'patroni 3.0.2\n') }
    },
    cause: /uses etcd3: with Patroni 3\.0\.2[\s\S]*acknowledged rows are lost/,
    fix: /rename the section etcd3: to etcd: \(etcd needs --enable-v2=true\)/,
  },
]

/** Written by hand in the form of `pgbackrest info --output=json`, so that the test does not need pgBackRest. */
const oldBackup = [
  {
    archive: [
      {
        database: { id: 1, 'repo-key': 1 },
        id: '15-1',
        max: '000000010000000000000004',
        min: '000000010000000000000002',
      },
    ],
    backup: [
      {
        archive: { start: '000000010000000000000003', stop: '000000010000000000000003' },
        backrest: { format: 5, version: '2.45' },
        database: { id: 1, 'repo-key': 1 },
        error: false,
        info: { delta: 24_000_000, repository: { delta: 3_000_000, size: 3_000_000 }, size: 24_000_000 },
        label: '20260101-020000F',
        prior: null,
        reference: null,
        timestamp: { start: 1_767_232_800, stop: 1_767_232_860 },
        type: 'full',
      },
    ],
    cipher: 'aes-256-cbc',
    db: [{ id: 1, 'repo-key': 1, 'system-id': 7_300_000_000_000, version: '15' }],
    name: 'broadside',
    repo: [{ cipher: 'aes-256-cbc', key: 1, status: { code: 0, message: 'ok' } }],
    status: { code: 0, lock: { backup: { held: false } }, message: 'ok' },
  },
]
