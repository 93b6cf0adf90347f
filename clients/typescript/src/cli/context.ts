import { Broadside } from '../index.ts'
import { CliError, UsageError } from './cli-error.ts'
import { readUsefulLogin, type SavedLogin } from './config.ts'
import type { OptionValues } from './parse.ts'
import type { Output } from './terminal/output.ts'

/** What a command gets. */
export type Context = {
  args: readonly string[]
  out: Output
  environment: NodeJS.ProcessEnv
  text: (option: string) => string | undefined
  isSet: (option: string) => boolean
  list: (option: string) => readonly string[]
  number: (option: string) => number
}

type Given = { args: readonly string[]; options: OptionValues; out: Output; environment: NodeJS.ProcessEnv }

export function contextOf({ args, options, out, environment }: Given): Context {
  const text = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined)
  return {
    args,
    out,
    environment,
    text,
    isSet: (name) => options[name] !== undefined,
    list: (name) => (Array.isArray(options[name]) ? options[name] : []),
    number: (name) => Number(text(name)),
  }
}

/** The address of a site, and where it comes from. */
export function addressOf(
  { text, environment }: Context,
  saved: SavedLogin,
): { url: string; from: string } | undefined {
  const sources = [
    { url: text('url'), from: '--url' },
    { url: environment['BROADSIDE_URL'], from: 'BROADSIDE_URL' },
    { url: saved.base_url, from: 'the saved login' },
  ]
  const found = sources.find(({ url }) => url)
  return found?.url ? { url: found.url, from: found.from } : undefined
}

export function requiredAddress(context: Context, saved: SavedLogin): string {
  const found = addressOf(context, saved)
  if (found) return found.url
  throw new UsageError(
    'The address of a site is missing.',
    'Pass --url, set BROADSIDE_URL, or run `broadside login --url <address>`.',
  )
}

/** A client without a key. */
export function openPublicClient(context: Context): Broadside {
  return new Broadside({ baseUrl: requiredAddress(context, readUsefulLogin(context.environment)), apiKey: null })
}

/** A client with the key, if there is one. */
export async function openClient(context: Context): Promise<Broadside> {
  const saved = readUsefulLogin(context.environment)
  const baseUrl = requiredAddress(context, saved)
  return new Broadside({ baseUrl, apiKey: (await keyFor(context, saved, baseUrl)) ?? null })
}

/** A client with the key. Throws if there is none. */
export async function openKeyedClient(context: Context): Promise<Broadside> {
  const saved = readUsefulLogin(context.environment)
  const baseUrl = requiredAddress(context, saved)
  const apiKey = await keyFor(context, saved, baseUrl)
  if (apiKey) return new Broadside({ baseUrl, apiKey })
  throw new CliError('There is no API key.', {
    exit: 'key',
    code: 'missing_api_key',
    advice: 'Run `broadside login`, or set BROADSIDE_API_KEY. `broadside login --create` creates an account.',
  })
}

/** The key from the environment, or the saved one if the address belongs to the service that it was saved for. */
export async function keyFor(
  { environment }: Pick<Context, 'environment'>,
  saved: SavedLogin,
  baseUrl: string,
): Promise<string | undefined> {
  const given = environment['BROADSIDE_API_KEY']?.trim()
  if (given || !saved.api_key) return given || undefined
  if (saved.base_url && (await isSameService(saved.base_url, baseUrl))) return saved.api_key
  throw new CliError(`The saved key belongs to ${saved.base_url ?? 'no address'}, not to ${baseUrl}.`, {
    exit: 'key',
    code: 'saved_key_of_another_service',
    advice: `Run \`broadside login --url ${baseUrl}\`, or set BROADSIDE_API_KEY.`,
  })
}

/** Whether both are sites of one service. A key must not go to an address that was only mistyped. */
async function isSameService(saved: string, asked: string): Promise<boolean> {
  const origin = (url: string) => (URL.canParse(url) ? new URL(url).origin : url)
  if (origin(saved) === origin(asked)) return true
  const { sites } = await new Broadside({ baseUrl: saved, apiKey: null }).getStatus()
  return sites.some(({ url }) => origin(url) === origin(asked))
}
