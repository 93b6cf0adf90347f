import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { giveTo } from '../../../tooling/services/state.ts'
import type { Broken } from './installation.ts'

/** In the form of `pgbackrest info --output=json`. */
const oldBackup = JSON.stringify([
  {
    name: 'broadside',
    status: { code: 0, message: 'ok' },
    backup: [{ label: '20260101-020000F', error: false, timestamp: { start: 1_767_232_800, stop: 1_767_232_860 } }],
  },
])

export const brokenFiles: readonly Broken[] = [
  {
    what: 'settings are missing and invalid',
    probe: 'settings',
    says: /SITES: missing.*API_PORT: invalid.*Edit API_PORT in \/etc\/broadside\/broadside\.env, then: systemctl restart.*SECRETS_KEYS: cannot read the file \/nowhere of SECRETS_KEYS_FILE \(ENOENT\)/s,
    breaks: () => ({ API_PORT: 'ninety', SITES: '', SECRETS_KEYS: '', SECRETS_KEYS_FILE: '/nowhere' }),
  },
  {
    what: 'production has no erasure log, two processes have one port, and other users can read a secret',
    probe: 'settings',
    says: /ERASURE_LOG must be set in production.*Two processes have port 5.*Other users can read \S+ with DESK_SECRET: its mode is 644\.\n.*chmod 600/s,
    breaks: ({ environment, file }) => {
      const secret = file('DESK_SECRET', String(environment['DESK_SECRET']))
      return { ERASURE_LOG: '', API_PORT: '5000', DESK_PORT: '5000', DESK_SECRET: '', DESK_SECRET_FILE: secret }
    },
  },
  {
    what: 'the pages directory is missing',
    probe: 'pages',
    says: /The directory \S+nowhere does not exist.*install -d -o nobody -m 755 \S+ && broadside documents && broadside rebuild/s,
    breaks: ({ folder }) => ({ PAGES_DIRECTORY: join(folder, 'nowhere') }),
  },
  {
    what: 'root owns the pages, and everybody can write them',
    probe: 'pages',
    says: /Every user can write to \S+: its mode is \d*777.*The user nobody cannot write to \S+\.trees\..*chown -R nobody/s,
    breaks: ({ folder }) => {
      mkdirSync(join(folder, 'open', '.trees'), { recursive: true })
      chmodSync(join(folder, 'open'), 0o777)
      return { PAGES_DIRECTORY: join(folder, 'open') }
    },
  },
  {
    what: 'the gateway may not enter the folder above the pages',
    probe: 'pages',
    says: /The user www-data cannot read \S+closed\/pages\..*namei -l/s,
    breaks: ({ folder }) => {
      mkdirSync(join(folder, 'closed', 'pages'), { recursive: true })
      giveTo('nobody', join(folder, 'closed'))
      chmodSync(join(folder, 'closed'), 0o700)
      return { PAGES_DIRECTORY: join(folder, 'closed', 'pages') }
    },
  },
  {
    what: 'the documents are missing',
    probe: 'documents',
    says: /Documents are missing: \d+ \(such as messages\/.*\n.*broadside documents/,
    breaks: () => ({}),
  },
  {
    what: 'the disk of the pages is full',
    probe: 'disk',
    says: /The file system of the pages \(\S+full\) has 0\.0 MiB of 4\.0 MiB free\.\n.*du -xh/,
    breaks: ({ folder }, stack) => {
      const path = join(folder, 'full')
      mkdirSync(path)
      assert.equal(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'broadside-doctor', path]).status, 0)
      stack.defer(() => void spawnSync('umount', [path]))
      spawnSync('dd', ['if=/dev/zero', `of=${join(path, 'file')}`, 'bs=1M'])
      return { PAGES_DIRECTORY: path }
    },
  },
  {
    what: 'no backup is configured',
    probe: 'backup',
    says: /warning: No backup is configured: BACKUP_STANZA is not set/,
    breaks: () => ({}),
  },
  {
    what: 'the last backup is old and on the disk of the database, and PostgreSQL archives no WAL',
    probe: 'backup',
    says: /The last backup \(20260101-020000F\) ended \d+ hours ago.*are on the disk of the database.*archives no WAL/s,
    breaks: ({ folder, file, programThatPrints }) => ({
      BACKUP_STANZA: 'broadside',
      PATH: programThatPrints('pgbackrest', oldBackup),
      PGBACKREST_CONFIG: file('pgbackrest.conf', `[global]\nrepo1-path=${folder}\n[broadside]\npg1-path=${folder}\n`),
    }),
  },
  {
    what: 'the workers cannot write the erasure log',
    probe: 'erasures',
    says: /The user nobody cannot write to \S+\.\n.*install -d -o nobody -m 750/,
    breaks: ({ folder }) => ({ ERASURE_LOG: folder }),
  },
  {
    what: 'Patroni 3.0.2 uses etcd3',
    probe: 'patroni',
    says: /etcd3: with Patroni 3\.0\.2 loses acknowledged rows.*See docs\/runbooks\/failover\.md/s,
    breaks: ({ file, programThatPrints }) => ({
      PATRONI_CONFIG: file('patroni.yml', 'scope: broadside\netcd3:\n  hosts: 10.0.0.1:2379\n'),
      PATH: programThatPrints('patroni', 'patroni 3.0.2\n'),
    }),
  },
]
