import { runNamed } from '../../tooling/script-options.ts'

/**
 * Drills: each does for real, on this machine, what an operator does rarely. They need root. Each is loaded only when it
 * is asked for, and installs the packages that it needs.
 */
export const drills = {
  install: {
    summary:
      'runs docs/install.md on a new Debian 12, then reboots it; with --restore and --upgrade, also the runbooks backup.md and upgrade.md',
    load: async () => (await import('./install.ts')).run,
  },
  upgrade: {
    summary:
      'upgrades the program of a commit (--from) to this one and back while requests arrive: none fails, no post is lost',
    load: async () => (await import('./upgrade/main.ts')).upgradeDrill.run,
  },
  image: {
    summary: 'builds the image, runs deploy/compose.yaml from it, publishes a first post over TLS, and reboots',
    load: async () => (await import('./image/main.ts')).imageDrill.run,
  },
  alerts: {
    summary:
      'breaks a running service so that each alert fires once in a real Prometheus, and lists panels without data',
    load: async () => (await import('./alerts/main.ts')).alertsDrill.run,
  },
  restore: {
    summary: 'backs up with pgBackRest, restores to a second beside the live cluster, verifies, and repeats erasures',
    load: async () => (await import('./restore/main.ts')).run,
  },
}

if (import.meta.main) await runNamed({ command: 'npm run drill', what: 'name' }, drills)
