import { readOptions, runScript } from '../../tooling/script-options.ts'
import { stopObjectStore } from '../../tooling/services/object-store.ts'
import { stopByPidFile, stopServices } from '../../tooling/services/stack.ts'

const details = 'Stops everything that `npm run up` started, and the object store of tests. Keeps the data.'
await runScript({ command: 'npm run down', details }, async (args) => {
  readOptions(args, {})
  await stopByPidFile('broadside')
  await stopServices()
  await stopObjectStore()
  console.log('Stopped.')
})
