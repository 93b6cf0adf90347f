import {
  describeStack,
  logFile,
  startDetached,
  startServices,
  stopByPidFile,
  untilReady,
} from '../../tooling/services/stack.ts'
import { explainNotReady } from '../../tooling/services/until-ready.ts'

if (process.argv.includes('--help'))
  console.log('Usage: npm run up\n\nStarts everything in the background. `npm run down` stops it.')
else {
  const startedAt = performance.now()
  const environment = await startServices((text) => console.log(`✓ ${text}`))
  await stopByPidFile('broadside')
  const child = startDetached('broadside', ['start'], environment)
  const nextSteps = [
    `Its log is ${logFile('broadside')}`,
    'A slow service continues to start. Run `npm run up` again to start over, or `npm run down` to stop everything.',
  ].join('\n')
  try {
    await untilReady(() => child.exitCode === null && child.signalCode === null)
    console.log(`\nReady after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s:\n${describeStack()}`)
  } catch (error) {
    explainNotReady(error, nextSteps)
  }
}
