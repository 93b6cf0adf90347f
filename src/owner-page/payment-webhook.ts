import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { receiveEvent } from '../payments/provider-events.ts'
import type { OwnerParts } from './route.ts'

/** The largest of Stripe's events is far below. */
const maxEventBytes = 512 * 1024

/** Where the payment provider tells us what happened. The signature is over the bytes, so the body is taken as it came. */
export function addPaymentWebhook(app: FastifyInstance, { db, clock, payments }: OwnerParts): void {
  if (payments.driver === 'manual') return
  const { readEvent } = payments
  app.register(async (door) => {
    door.removeAllContentTypeParsers()
    const parser = { parseAs: 'buffer', bodyLimit: maxEventBytes } as const
    door.addContentTypeParser('application/json', parser, (_request, body, done) => done(null, body))
    door.post(
      '/payments/events',
      { bodyLimit: maxEventBytes },
      async (request: FastifyRequest, reply: FastifyReply) => {
        const signature = request.headers['stripe-signature']
        const { body } = request
        const isSigned = typeof signature === 'string' && Buffer.isBuffer(body)
        const event = isSigned ? await readEvent(body, signature) : null
        if (!event) return reply.code(400).send()
        await receiveEvent(db, event, clock.now())
        return { received: true }
      },
    )
  })
}
