import type { FastifyInstance, FastifyRequest } from 'fastify'
import { admit, authenticateKey, withOtherHeader } from '../../calls/admit.ts'
import { admitOwner } from '../../calls/admit-owner.ts'
import { assertJsonBody, parseJson } from '../../calls/json-body.ts'
import { perform } from '../../calls/perform.ts'
import { type Operation, pathOf } from '../../contract/define-operation.ts'
import type { StreamHub, StreamStart } from '../../stream/stream-hub.ts'
import type { MountedHandlerNote } from '../mounted-handler.ts'
import { parseQuery } from '../read-request.ts'
import { sendAnswer } from '../responses.ts'
import { callOf, type ServerOptions } from '../server-options.ts'
import { type HttpHost, takesHead } from '../sites.ts'
import { sendStream, withCursorHeader, withLastEventId } from './stream-response.ts'

/** The account and the problem of each request, for the log. */
export type Answered = WeakMap<FastifyRequest, { accountId?: string; problem?: string } | MountedHandlerNote>

type Parts = {
  place: HttpHost
  answered: Answered
  hub: StreamHub
  /** An open stream is no request in progress. */
  release: (request: FastifyRequest) => void
}

/** Adds a route for each operation of a host. */
export function addOperations(app: FastifyInstance, options: ServerOptions, parts: Parts): void {
  const { place, answered, hub, release } = parts
  for (const operation of place.operations)
    app.route({
      method: operation.method,
      url: operation.path.replaceAll(/\{([a-z_]+)\}/g, ':$1'),
      constraints: { site: place.name },
      config: { operationId: operation.id, answersStream: operation.answersStream === true },
      exposeHeadRoute: takesHead(operation),
      handler: async (request, reply) => {
        const call = await admitted(options, place, operation, request)
        const who = call.caller ?? call.owner
        if (who) answered.set(request, { accountId: who.accountId })
        if (operation.answersStream) hub.assertRoom()
        const sent = parseQuery(request.url)
        const query = operation.answersStream ? withLastEventId(sent, request) : sent
        const body = operation.body ? parseJson(request.body) : undefined
        const raw = { params: request.params, query, body }
        const performed = await perform(operation, { ...call, query }, raw, options.allowances).catch((error) => {
          throw operation.answersStream ? withCursorHeader(error, request) : error
        })
        if (operation.answersStream) {
          // Also if the caller has left meanwhile: nothing else ends the request then.
          release(request)
          if (reply.raw.destroyed) return reply
          return sendStream(reply, hub, performed.body as StreamStart)
        }
        return sendAnswer(request, reply, { operation, performed, isKeyed: who !== null })
      },
    })
}

async function admitted(options: ServerOptions, place: HttpHost, operation: Operation, request: FastifyRequest) {
  const { headers } = request
  if (operation.body) assertJsonBody(headers)
  const call = callOf(options, place.site, pathOf(operation, request.params as Record<string, unknown>), request)
  if (operation.access === 'owner') return admitOwner(operation, call, { headers, takesCookie: place.isOwnerPage })
  return admit(operation, call, await authenticateKey(call, headers.authorization)).catch((error) => {
    throw withOtherHeader(error, headers)
  })
}
