import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { maxPaymentEventBytes } from '../contract/limits.ts'
import { receiveEvent } from '../payments/provider-events.ts'
import type { OwnerParts } from './route.ts'

/**
 * The endpoint for the payment provider's events. The signature covers the raw bytes, so the body is not parsed first.
 */
export function addPaymentWebhook(app: FastifyInstance, { db, clock, payments }: OwnerParts): void {
  if (payments.driver === 'manual') return
  const { readEvent } = payments
  app.register(async (instance) => {
    instance.removeAllContentTypeParsers()
    const parser = { parseAs: 'buffer', bodyLimit: maxPaymentEventBytes } as const
    instance.addContentTypeParser('application/json', parser, (_request, body, done) => done(null, body))
    instance.post(
      '/payments/events',
      { bodyLimit: maxPaymentEventBytes },
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
