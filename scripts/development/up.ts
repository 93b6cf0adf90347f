import { readOptions, runScript } from '../../tooling/script-options.ts'
import {
  describeStack,
  logFile,
  startDetached,
  startServices,
  stopByPidFile,
  untilReady,
} from '../../tooling/services/stack.ts'
import { openSteps } from '../../tooling/services/start/steps.ts'

const details = `Starts everything in the background. \`npm run down\` stops it.

Ctrl-C ends the waiting; a slow service continues to start.`

await runScript({ command: 'npm run up', details }, async (args) => {
  readOptions(args, {})
  const steps = openSteps()
  const environment = await startServices(steps)
  await stopByPidFile('broadside')
  const child = startDetached('broadside', ['start'], environment)
  await steps.run('Broadside', (onWait) => untilReady(child, onWait), { log: logFile('broadside') })
  console.log(`\nReady after ${steps.seconds()} s:\n${describeStack()}`)
})
