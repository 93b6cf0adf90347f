import type { RunCheck } from './check.ts'

export type Check = {
  name: string
  /** What it checks, for --help and the runbook. */
  subject: string
  /** A check that takes longer is ended and counts as not made. */
  seconds: number
  load: () => Promise<RunCheck>
}

/** All checks of `doctor`, in the order of the output. Only those that run are loaded. */
export const checkTable: readonly Check[] = [
  {
    name: 'settings',
    subject: 'every setting is there and valid, by the rules for production; no secret file is readable by others',
    seconds: 10,
    load: async () => (await import('./checks/settings.ts')).checkSettings,
  },
  {
    name: 'database',
    subject: 'PostgreSQL answers, is version 15 or newer, is not a standby, accepts writes and has enough connections',
    seconds: 20,
    load: async () => (await import('./checks/database.ts')).checkDatabase,
  },
  {
    name: 'roles',
    subject: 'each database role exists, can log in and has exactly the privileges that the schema gives it',
    seconds: 30,
    load: async () => (await import('./checks/roles.ts')).checkRoles,
  },
  {
    name: 'schema',
    subject: 'all migrations are applied, none is newer than the program, changed or half done',
    seconds: 20,
    load: async () => (await import('./checks/schema.ts')).checkSchema,
  },
  {
    name: 'replica',
    subject: 'if a replica is set, it answers, is a replica and is not behind',
    seconds: 15,
    load: async () => (await import('./checks/replica.ts')).checkReplica,
  },
  {
    name: 'processes',
    subject: 'each API process, worker, owner page, desk, card process and model answers `/healthz` and `/readyz`',
    seconds: 15,
    load: async () => (await import('./checks/processes.ts')).checkProcesses,
  },
  {
    name: 'gateway',
    subject: 'nginx runs, its configuration is valid and follows from the settings, and every origin answers',
    seconds: 30,
    load: async () => (await import('./checks/gateway.ts')).checkGateway,
  },
  {
    name: 'pages',
    subject: 'the workers can write the pages, the gateway can read them, and the documents are current',
    seconds: 60,
    load: async () => (await import('./checks/pages/pages.ts')).checkPages,
  },
  {
    name: 'log',
    subject: 'the transparency log has not stopped',
    seconds: 10,
    load: async () => (await import('./checks/log.ts')).checkLog,
  },
  {
    name: 'cards',
    subject: 'the fonts for cards, the pictures of posts in link previews, are installed, and a card is drawn',
    seconds: 20,
    load: async () => (await import('./checks/pages/cards.ts')).checkCards,
  },
  {
    name: 'email',
    subject: 'the mail server answers over TLS and accepts the password; DKIM, SPF and DMARC are in DNS',
    seconds: 30,
    load: async () => (await import('./checks/email.ts')).checkEmail,
  },
  {
    name: 'payments',
    subject: 'the keys fit the environment, and the payment provider answers and accepts them',
    seconds: 20,
    load: async () => (await import('./checks/payments.ts')).checkPayments,
  },
  {
    name: 'clock',
    subject: 'the clocks of this machine and of the database agree, and a time server is in use',
    seconds: 20,
    load: async () => (await import('./checks/clock.ts')).checkClock,
  },
  {
    name: 'certificate',
    subject: 'each origin has a trusted certificate for its name that does not expire soon',
    seconds: 30,
    load: async () => (await import('./checks/certificate.ts')).checkCertificate,
  },
  {
    name: 'disk',
    subject: 'the file systems of the pages and, if it is on this machine, of the database have free space and inodes',
    seconds: 10,
    load: async () => (await import('./checks/pages/disk.ts')).checkDisk,
  },
  {
    name: 'backup',
    subject:
      'pgBackRest has a complete backup from the last 26 hours, WAL is archived without errors, and the workers can write the erasure log',
    seconds: 30,
    load: async () => (await import('./checks/backup.ts')).checkBackup,
  },
  {
    name: 'patroni',
    subject: 'Patroni does not lose acknowledged rows: no `etcd3:` with a version before 3.1',
    seconds: 15,
    load: async () => (await import('./checks/patroni.ts')).checkPatroni,
  },
]
