import { pause } from '../../retry.ts'
import { CliError, UsageError } from '../cli-error.ts'
import { readLogin, saveLogin } from '../config.ts'
import { type Context, openKeyedClient } from '../context.ts'
import { withInterrupt } from '../terminal/interrupt.ts'
import { fit, oneLine } from '../terminal/text.ts'
import { type Attempt, attempt, newListenSecret, type OwnEvent, signDelivery } from './delivery.ts'

/** Before each retry. Afterwards the event is given up, and the next one follows. */
const retryDelaysMs = [1_000, 3_000, 9_000]

/** Forwards the events of the account, one after another, until Ctrl-C. */
export async function listen(context: Context): Promise<void> {
  const { out } = context
  const secret = listenSecret(context)
  if (context.isSet('print-secret')) {
    out.document({ secret })
    return out.print(secret)
  }
  const url = receiverUrl(context)
  const client = await openKeyedClient(context)
  out.note(`Sending your events to ${url}. Press Ctrl-C to stop.`)
  out.note(`Signing secret: ${secret}`)
  const after = context.text('after')
  let last = after
  const follow = async (signal: AbortSignal) => {
    for await (const { id, data } of client.stream({ scope: 'mine', ...(after && { after }), signal })) {
      await forward(context, { url, secret, event: data, signal })
      last = id
    }
  }
  await withInterrupt(follow, () => {})
  if (last) out.note(`Continue after the last event: broadside listen --forward-to ${url} --after ${oneLine(last)}`)
}

/** The secret of this machine. It is made once; where it cannot be saved, each time. */
function listenSecret({ environment, out }: Context): string {
  const listen_secret = newListenSecret()
  try {
    const saved = readLogin(environment)
    if (saved.listen_secret) return saved.listen_secret
    saveLogin(environment, { ...saved, listen_secret })
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    out.note(`The signing secret is not saved and will be another one next time: ${error.message}`)
  }
  return listen_secret
}

function receiverUrl(context: Context): string {
  const given = context.text('forward-to')
  if (given === undefined)
    throw new UsageError('--forward-to is missing.', 'Pass --forward-to http://localhost:3000/hook')
  if (!/^https?:\/\//.test(given) || !URL.canParse(given))
    throw new UsageError('--forward-to must start with http:// or https://.', `Did you mean http://${oneLine(given)}?`)
  return new URL(given).href
}

type Forwarding = { url: string; secret: string; event: OwnEvent; signal: AbortSignal }

/** Sends an event until the receiver takes it or the attempts are used up. Later events wait, so their order stays. */
async function forward(context: Context, { url, secret, event, signal }: Forwarding): Promise<void> {
  for (let tries = 1; ; tries++) {
    // Each attempt has a signature of its own time, as receivers refuse old ones.
    const result = await attempt(url, signDelivery(secret, event, new Date()), signal)
    const waitMs = result.isDelivered ? undefined : retryDelaysMs[tries - 1]
    report(context, { event, tries, result, waitMs })
    if (waitMs === undefined) return
    await pause(waitMs, signal)
  }
}

type Reported = { event: OwnEvent; tries: number; result: Attempt; waitMs: number | undefined }

function report({ out }: Context, { event, tries, result, waitMs }: Reported) {
  const { status, error, duration_ms, isDelivered } = result
  out.jsonLine({
    event,
    attempt: tries,
    status,
    error,
    duration_ms,
    delivered: isDelivered,
    will_retry: waitMs !== undefined,
  })
  const outcome = `${status ?? error} ${duration_ms} ms`
  const next = isDelivered ? '' : waitMs === undefined ? '  gave up' : `  retry in ${waitMs / 1_000} s`
  const { id } = event.data as { id?: string }
  const what = [event.timestamp.slice(11, 19), event.type, id ?? ''].map(oneLine).join('  ')
  const start = `${fit(what, Math.max(20, out.width - outcome.length - next.length - 2))}  `
  out.print(start + out.style(isDelivered ? 'green' : 'red', outcome) + next)
}
