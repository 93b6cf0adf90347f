import { stopByPidFile, stopServices } from '../../tooling/services/stack.ts'

if (process.argv.includes('--help'))
  console.log('Usage: npm run down\n\nStops what `npm run up` started. Data is kept.')
else {
  await stopByPidFile('broadside', 'broadside.ts')
  await stopServices()
  console.log('Stopped.')
}
