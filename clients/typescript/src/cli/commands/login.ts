import { Broadside, type NewAccount } from '../../index.ts'
import { CliError, UsageError } from '../cli-error.ts'
import { readLogin, type SavedLogin, saveLogin } from '../config.ts'
import { addressOf, type Context, requiredAddress } from '../context.ts'
import { ask, askHidden, isInteractive, readStandardInput } from '../terminal/prompt.ts'
import { oneLine } from '../terminal/text.ts'

export async function login(context: Context): Promise<void> {
  const saved = readLogin(context.environment)
  const baseUrl = await addressFor(context, saved)
  return context.isSet('create') ? createAccount(context, saved, baseUrl) : saveKey(context, saved, baseUrl)
}

async function addressFor(context: Context, saved: SavedLogin): Promise<string> {
  if (addressOf(context, saved) || !isInteractive()) return requiredAddress(context, saved)
  return ask('Address of a site, such as https://messages.broadside.example: ')
}

async function saveKey(context: Context, saved: SavedLogin, baseUrl: string): Promise<void> {
  const { out, environment } = context
  const site = baseUrl.replace(/\/+$/, '')
  const apiKey = (isInteractive() ? await askHidden('API key (not shown): ') : await readStandardInput()).trim()
  if (apiKey === '')
    throw new UsageError('The API key is missing.', 'Pass it on standard input: broadside login < key.txt')
  const account = await new Broadside({ baseUrl, apiKey }).getAccount()
  const path = saveLogin(environment, { ...saved, base_url: site, api_key: apiKey })
  const { id, name, account_url } = account
  out.document({ base_url: site, account: { id, name }, account_url, path })
  out.print(`Logged in to ${site} as ${oneLine(name)} (${id}).`)
  out.print(`The key is saved in ${path}`)
  if (environment['BROADSIDE_API_KEY']) out.note('BROADSIDE_API_KEY is set and comes before the saved key.')
}

async function createAccount(context: Context, saved: SavedLogin, baseUrl: string): Promise<void> {
  const { out, environment } = context
  if (saved.api_key)
    throw new CliError('A key is already saved on this machine, and the service never shows it again.', {
      exit: 'usage',
      code: 'already_logged_in',
      advice: 'Keep a copy of it if you need it, run `broadside logout`, then try again.',
    })
  const client = new Broadside({ baseUrl, apiKey: null })
  const site = baseUrl.replace(/\/+$/, '')
  const name = await answerFor(context, 'name', 'Public name of the author: ')
  const email = await answerFor(context, 'email', 'Email address of the owner: ')
  await acceptTerms(context, site)
  const account = await client.createAccount({ name, email, accept_terms: true })
  const path = keep(environment, { ...saved, base_url: site, api_key: account.api_key }, account)
  const { id, account_url, next_step } = account
  out.document({ base_url: site, account: { id, name: account.name }, account_url, for_human: true, next_step, path })
  out.print(`Created the account ${oneLine(account.name)} (${id}). The key is saved in ${path}`)
  out.print(`For the owner: ${oneLine(account_url)}`)
  out.print('The owner verifies the email address there and tops up the balance. Then you can publish.')
}

async function answerFor(context: Context, option: string, question: string): Promise<string> {
  const given = context.text(option) ?? (isInteractive() ? await ask(question) : '')
  if (given === '') throw new UsageError(`--${option} is missing.`, 'Pass --name, --email and --accept-terms.')
  return given
}

async function acceptTerms(context: Context, site: string): Promise<void> {
  if (context.isSet('accept-terms')) return
  const answer = isInteractive() ? await ask(`Do you accept the terms at ${site}/terms/? [y/N] `) : ''
  if (!/^y(es)?$/i.test(answer))
    throw new UsageError('The terms are not accepted.', `Read ${site}/terms/ and pass --accept-terms.`)
}

/** Saves the key. If that fails, the error has the key: it is shown only once. */
function keep(environment: NodeJS.ProcessEnv, login: SavedLogin, { api_key, account_url }: NewAccount): string {
  try {
    return saveLogin(environment, login)
  } catch (error) {
    throw new CliError(`The account exists, but its key cannot be saved: ${(error as Error).message}`, {
      exit: 'failed',
      code: 'key_not_saved',
      advice: `Keep the key yourself: ${api_key}\nFor the owner: ${account_url}`,
      members: { api_key, account_url },
    })
  }
}
