import { parseArgs } from 'node:util'
import { assertSecret, WebhookVerificationError } from '../verify.ts'

export type ListenOptions = { port: number; host: string; secrets: string[]; json: boolean }

/** What was typed cannot be run; the message says what to type. */
export class UsageError extends Error {}

export const help = `Usage: npx broadside-client listen [options]

Receives webhooks on this machine, verifies each and prints it.

  --port <number>    where to listen; 8787 unless told, 0 for any that is free
  --host <address>   127.0.0.1 unless told
  --secret <secret>  the endpoint's, whsec_…; while it is rotated both, separated by a space.
                     Better set BROADSIDE_WEBHOOK_SECRET: arguments show in the list of processes
  --json             one line of JSON for each event
  --help             this text

The service delivers to public https addresses on port 443 only, so lead one here: by a tunnel or a reverse proxy.
Events go to standard output, all else to standard error.
`

/** The options of a command line and an environment; throws UsageError where they cannot work. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): ListenOptions {
  const { port, host, secret, json } = valuesOf(args)
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) throw new UsageError('--port takes a number from 0 to 65535.')
  if (host === '') throw new UsageError('--host takes an address of this machine, such as 127.0.0.1.')
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
    // Its first sentence says what is wrong; the others explain Node's own rules.
    throw new UsageError(`${(error as Error).message.split(/[.\n]\s/)[0]?.replace(/\.$/, '')}.`)
  }
}

function assertUsable(secrets: string[]) {
  if (secrets.length === 0)
    throw new UsageError(
      'Set BROADSIDE_WEBHOOK_SECRET to the secret that POST /v1/webhooks answered with: without it nothing can be verified.',
    )
  try {
    assertSecret(secrets)
  } catch (error) {
    throw error instanceof WebhookVerificationError ? new UsageError(error.message) : error
  }
}
