import { once } from 'node:events'
import { startPaymentProvider } from './server.ts'

const stop = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())

const needed = (name: string): string => {
  const value = process.env[name]
  if (!value) throw new Error(`Missing setting: ${name}.`)
  return value
}

await using provider = await startPaymentProvider({
  port: Number(needed('PORT')),
  secretKey: needed('SECRET_KEY'),
  webhookSecret: needed('WEBHOOK_SECRET'),
  eventsUrl: needed('EVENTS_URL'),
  file: needed('STATE_FILE'),
})
console.log(`Test double of the payment provider: ${provider.checkoutOrigin}`)
if (!stop.signal.aborted) await once(stop.signal, 'abort')
