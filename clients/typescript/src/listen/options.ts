import { parseArgs } from 'node:util'
import { assertSecret, WebhookVerificationError } from '../verify.ts'

export type ListenOptions = { port: number; host: string; secrets: string[]; json: boolean }

/** Invalid arguments; the message says what to change. */
export class UsageError extends Error {}

export const help = `Usage: npx broadside listen [options]

Receives webhooks on this machine, verifies them and prints them.

  --port <number>    port to listen on (default 8787; 0 picks a free port)
  --host <address>   address to listen on (default 127.0.0.1)
  --secret <secret>  the endpoint's secret, whsec_…; during a rotation both, separated by a space.
                     Prefer BROADSIDE_WEBHOOK_SECRET: arguments are visible in the process list
  --json             print one line of JSON per event
  --help             print this text

The service delivers only to public https URLs on port 443. Forward one here with a tunnel or a reverse proxy.
Events go to standard output, everything else to standard error.
`

/** Reads the options from the command line and the environment. Throws UsageError if they are not valid. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): ListenOptions {
  const { port, host, secret, json } = valuesOf(args)
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('--port must be a number from 0 to 65535.')
  if (host === '') throw new UsageError('--host must be an IP address of this machine, such as 127.0.0.1.')
  const secrets = (secret ?? environment['BROADSIDE_WEBHOOK_SECRET'] ?? '').split(/\s+/).filter((word) => word !== '')
  assertUsable(secrets)
  return { port: Number(port), host, secrets, json }
}

function valuesOf(args: string[]) {
  const options = {
    port: { type: 'string', default: '8787' },
    host: { type: 'string', default: '127.0.0.1' },
    secret: { type: 'string' },
    json: { type: 'boolean', default: false },
  } as const
  try {
    return parseArgs({ args, options }).values
  } catch (error) {
    // Node's message starts with what is wrong; the rest explains Node's own rules.
    throw new UsageError(`${(error as Error).message.split(/[.\n]\s/)[0]?.replace(/\.$/, '')}.`)
  }
}

function assertUsable(secrets: string[]) {
  if (secrets.length === 0)
    throw new UsageError(
      'Set BROADSIDE_WEBHOOK_SECRET to the secret that POST /v1/webhooks returned. Deliveries cannot be verified without it.',
    )
  try {
    assertSecret(secrets)
  } catch (error) {
    throw error instanceof WebhookVerificationError ? new UsageError(error.message) : error
  }
}
