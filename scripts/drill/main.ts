type Drill = { summary: string; load: () => Promise<{ run: (args: string[]) => Promise<void> }> }

/**
 * Drills: each does for real, on this machine, what an operator does rarely. They need root. Each is loaded only when it
 * is asked for, and installs the packages that it needs.
 */
const drills: Record<string, Drill> = {
  install: {
    summary: 'runs docs/install.md on a new Debian 12, then reboots it; with --upgrade, also docs/runbooks/upgrade.md',
    load: () => import('./install.ts'),
  },
  upgrade: {
    summary: 'upgrades the previous release to this one and back while requests arrive: none fails, no post is lost',
    load: async () => (await import('./upgrade/main.ts')).upgradeDrill,
  },
  doctor: {
    summary: 'breaks an installation in many ways and prints what doctor says',
    load: () => import('./doctor.ts'),
  },
  image: {
    summary: 'builds the image, runs deploy/compose.yaml from it, publishes a first post over TLS, and reboots',
    load: async () => (await import('./image/main.ts')).imageDrill,
  },
  alerts: {
    summary: 'breaks a running service so that each alert fires once in a real Prometheus, and draws the dashboards',
    load: async () => (await import('./alerts/main.ts')).alertsDrill,
  },
  restore: {
    summary: 'backs up with pgBackRest, restores to a second beside the live cluster, verifies, and repeats erasures',
    load: () => import('./restore/main.ts'),
  },
}

const [name = '', ...args] = process.argv.slice(2)
const drill = drills[name]
if (drill) await (await drill.load()).run(args)
else {
  console.error('Usage: npm run drill -- <name>\n')
  for (const [known, { summary }] of Object.entries(drills)) console.error(`  ${known.padEnd(10)} ${summary}`)
  process.exitCode = 2
}
