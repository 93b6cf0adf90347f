import { runCommandLine } from '../../clients/typescript/src/cli/run.ts'
import { clientEnvironment } from './client-environment.ts'

// `broadside`, as callers install it, but of this checkout. Its help and errors say `broadside`.
Object.assign(process.env, clientEnvironment())
process.exitCode = await runCommandLine(process.argv.slice(2))
