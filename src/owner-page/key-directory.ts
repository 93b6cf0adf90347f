import type { FastifyInstance } from 'fastify'
import { directoryPath } from '../platform/http-signatures/agent-url.ts'
import { directoryType } from '../platform/http-signatures/directory.ts'
import type { OwnerParts } from './route.ts'

/** A receiver learns of a new key within this time, so a key is published an hour before it signs. */
const cacheSeconds = 3_600

/** Publishes the keys that sign our requests, for anyone who receives one. */
export function addKeyDirectory(app: FastifyInstance, { signing }: OwnerParts): void {
  if (!signing) return
  app.get(directoryPath, (_request, reply) => {
    const { body, headers } = signing.directory()
    return reply
      .headers({
        ...headers,
        'content-type': directoryType,
        'cache-control': `public, max-age=${cacheSeconds}`,
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      .send(body)
  })
}
