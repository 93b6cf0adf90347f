import { stopByPidFile, stopServices } from '../../tooling/services/stack.ts'

if (process.argv.includes('--help'))
  console.log('Usage: npm run down\n\nStops everything that `npm run up` started. Keeps the data.')
else {
  await stopByPidFile('broadside')
  await stopServices()
  console.log('Stopped.')
}
