import { runNamed } from '../../tooling/script-options.ts'

export const contractCommands = {
  check: {
    summary: 'compares OpenAPI, AsyncAPI, tools and problems with another state, and shows changes of the clients',
    details: `Compares the folder “generated” with that of another state:

  --base      the folder “generated” of the other state
  --since     the git revision of the other state

Exits with 1 if a change breaks callers.`,
    load: async () => (await import('./check.ts')).runCheck,
  },
}

if (import.meta.main) await runNamed({ command: 'npm run contract', what: 'name' }, contractCommands)
