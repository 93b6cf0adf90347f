import { chooseCommandLine } from '../../tooling/clients/command-line.ts'

// A user must not notice which command line runs, so the same journeys run with `python -m broadside`.
chooseCommandLine('python')
await import('./command-line.test.ts')
await import('./command-line-listen.test.ts')
await import('../../clients/typescript/test/cli/interrupt.test.ts')
await import('../../clients/typescript/test/cli/verify.test.ts')
