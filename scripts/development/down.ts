import { stopObjectStore } from '../../tooling/services/object-store.ts'
import { stopByPidFile, stopServices } from '../../tooling/services/stack.ts'

if (process.argv.includes('--help'))
  console.log(
    'Usage: npm run down\n\nStops everything that `npm run up` started, and the object store of tests. Keeps the data.',
  )
else {
  await stopByPidFile('broadside')
  await stopServices()
  await stopObjectStore()
  console.log('Stopped.')
}
