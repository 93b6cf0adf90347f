import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readLogin, saveLogin } from '../../clients/typescript/src/cli/config.ts'
import { Broadside, BroadsideConnectionError, BroadsideProblem } from '../../clients/typescript/src/index.ts'
import { CommandError } from '../../src/bin/command.ts'
import { readOptions, runScript } from '../../tooling/script-options.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { clientEnvironment } from './client-environment.ts'

const creditMicros = 5_000_000

const details =
  'Creates an account with 5 USD on the service that `npm run up` started, and saves its key for `npm run client`.'

await runScript({ command: 'npm run account', details }, async (args) => {
  readOptions(args, {})
  try {
    await openAccount()
  } catch (error) {
    if (!(error instanceof BroadsideConnectionError)) throw error
    throw new CommandError(
      'The service does not respond. Start it with `npm run up`, then run `npm run account` again.',
    )
  }
})

async function openAccount(): Promise<void> {
  const environment = clientEnvironment()
  const baseUrl = environment.BROADSIDE_URL
  const existing = await savedAccount(environment)
  if (existing) {
    console.log(`There is an account already: ${existing.name} (${existing.id}), ${usd(existing.balance_micros)}.`)
    console.log('`npm run client -- logout` forgets it.')
    return
  }
  const account = await new Broadside({ baseUrl, apiKey: null }).createAccount({
    name: 'Harbour Notices',
    email: 'owner@example.com',
    accept_terms: true,
  })
  await addCredit(account.id)
  saveLogin(environment, { base_url: baseUrl, api_key: account.api_key })
  console.log(`Created ${account.name} (${account.id}) with ${usd(creditMicros)}.`)
  console.log('Its key is saved for `npm run client`.')
  console.log(`Its owner page: ${account.account_url}`)
}

/** The account of the saved key. The database may have been deleted since. */
async function savedAccount(environment: NodeJS.ProcessEnv) {
  const { api_key: apiKey, base_url: baseUrl } = readLogin(environment)
  if (!apiKey || baseUrl !== environment['BROADSIDE_URL']) return undefined
  try {
    return await new Broadside({ baseUrl, apiKey }).getAccount()
  } catch (error) {
    if (error instanceof BroadsideProblem && error.status === 401) return undefined
    throw error
  }
}

/** An owner would pay on the owner page. Here the operator gives the first balance. */
async function addCredit(accountId: string): Promise<void> {
  const words = ['credit', accountId, String(creditMicros), '--reason', 'development']
  await promisify(execFile)(process.execPath, [join(repoDir, 'src/bin/broadside.ts'), ...words], { cwd: repoDir })
}

function usd(micros: number): string {
  return `${(micros / 1_000_000).toFixed(2)} USD`
}
