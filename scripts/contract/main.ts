import { runNamed } from '../../tooling/script-options.ts'

export const contractCommands = {
  check: {
    summary: 'compares OpenAPI, AsyncAPI, tools, problems and client types with the last release',
    details: 'Exits with 1 if a breaking change is not announced in the changelog and on the versioning page.',
    load: async () => (await import('./check.ts')).runCheck,
  },
  record: {
    summary: 'records them as those of the last release, as a step of a release',
    details: 'Refuses if this version is recorded already, or if a breaking change is not announced.',
    load: async () => (await import('./check.ts')).runRecord,
  },
}

if (import.meta.main) await runNamed({ command: 'npm run contract', what: 'name' }, contractCommands)
