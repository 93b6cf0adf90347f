import { describeStack, startDetached, startServices, stopByPidFile, untilReady } from './services/stack.ts'

if (process.argv.includes('--help'))
  console.log('Usage: npm run up\n\nStarts everything in the background. `npm run down` stops it.')
else {
  const startedAt = performance.now()
  const environment = await startServices((text) => console.log(`✓ ${text}`))
  await stopByPidFile('broadside', 'broadside.ts')
  startDetached('broadside', ['src/bin/broadside.ts', 'start'], environment)
  await untilReady()
  console.log(`\nReady after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s:\n${describeStack()}`)
}
