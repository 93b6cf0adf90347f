import { Broadside, ConfigurationError, type Status } from '../../index.ts'
import { CliError } from '../cli-error.ts'
import type { ExitName } from '../command-table.ts'
import { credentialsPath, isEnvironmentEnough, isReadableByOthers, readLogin, type SavedLogin } from '../config.ts'
import { addressOf, type Context, keyFor } from '../context.ts'
import { ownVersion } from '../help.ts'
import type { Style } from '../terminal/output.ts'
import { oneLine, pad } from '../terminal/text.ts'
import { checkAccount } from './account.ts'
import { type Finding, failed, ok, warning } from './check.ts'
import { checkConnection } from './connection.ts'

const styles: Record<Finding['result'], Style> = { ok: 'green', warning: 'yellow', failed: 'red' }

/** Checks everything between this machine and a published post. Exits like the first failure. */
export async function doctor(context: Context): Promise<ExitName> {
  const { out } = context
  const findings: Finding[] = []
  const isShown = !out.isJson
  const add = (...more: Finding[]) => {
    findings.push(...more)
    if (isShown) for (const finding of more) show(context, finding)
  }
  add(ok('versions', `broadside ${ownVersion()}, Node ${process.versions.node}`))
  const { saved = {}, unreadable } = savedLogin(context)
  if (unreadable) add(unreadable)
  if (isReadableByOthers(context.environment)) add(exposed(context))
  const address = addressOf(context, saved)
  if (!address) {
    const advice = 'Pass --url, set BROADSIDE_URL, or run `broadside login --url <address>`.'
    add(failed('address', 'usage', 'No address is set.', advice))
  } else {
    add(ok('address', `${oneLine(address.url)} from ${address.from}`))
    const { findings: reached, status } = await checkConnection(address.url)
    add(...reached)
    if (status) add(moderationOf(status), ...(await withKey(context, saved, address.url)))
  }
  const first = findings.find(({ result }) => result === 'failed')
  out.document({ ok: !first, checks: findings.map(({ exit: _, ...finding }) => finding) })
  return first?.exit ?? 'ok'
}

function show({ out }: Context, { name, result, detail, advice }: Finding) {
  out.print(`${out.style(styles[result], pad(result, 7))}  ${pad(name, 10)}  ${detail}`)
  if (advice) out.print(`${' '.repeat(21)}${advice}`)
}

/** A file that cannot be read stops only commands that need it. */
function savedLogin({ environment }: Context): { saved?: SavedLogin; unreadable?: Finding } {
  try {
    return { saved: readLogin(environment) }
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    const { message, advice = '' } = error
    if (isEnvironmentEnough(environment)) return { unreadable: warning('login file', message, advice) }
    return { unreadable: failed('login file', error.exit, message, advice) }
  }
}

const exposed = ({ environment }: Context) =>
  warning(
    'login file',
    'Other users of this machine can read the saved key.',
    `chmod 600 ${credentialsPath(environment)}`,
  )

const moderationOf = ({ moderation, queued_posts, policy_version }: Status) =>
  ok('moderation', `${moderation.state}, posts waiting: ${queued_posts}, policy ${policy_version}`)

async function withKey(context: Context, saved: SavedLogin, baseUrl: string): Promise<Finding[]> {
  try {
    const apiKey = await keyFor(context, saved, baseUrl)
    if (apiKey) return await checkAccount(new Broadside({ baseUrl, apiKey }))
    return [failed('key', 'key', 'There is no API key.', 'Run `broadside login`, or set BROADSIDE_API_KEY.')]
  } catch (error) {
    if (error instanceof CliError) return [failed('key', error.exit, error.message, error.advice ?? '')]
    // The client refuses a key that cannot be one.
    if (error instanceof ConfigurationError)
      return [failed('key', 'key', oneLine(error.message), 'Run `broadside login`, or correct BROADSIDE_API_KEY.')]
    throw error
  }
}
