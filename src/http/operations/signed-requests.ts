import type { FastifyRequest } from 'fastify'
import { noteSignature } from '../../accounts/agents/note-signature.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'

/** Signatures that are noted at a time. Others are ignored: an agent signs every request. */
const maxAtATime = 4

type Parts = { db: Database; clock: Clock; logger: Logger }

export type SignedRequests = {
  /** Remembers that an API key of this account admitted the request. `origin` is the configured one of the called host. */
  admit(request: FastifyRequest, accountId: string, origin: string): void
  /** Call it after the response is sent: a signature never delays or refuses a request. */
  note(request: FastifyRequest): void
}

/** Notes signatures by Web Bot Auth, so that a worker can check keys that are new. */
export function openSignedRequests({ db, clock, logger }: Parts): SignedRequests {
  const admitted = new WeakMap<FastifyRequest, { accountId: string; origin: string }>()
  let inProgress = 0
  return {
    admit: (request, accountId, origin) => {
      if (isSigned(request)) admitted.set(request, { accountId, origin })
    },
    note: (request) => {
      const by = admitted.get(request)
      const [path = '', query = ''] = request.url.split(/(?=\?)/)
      // A query can contain text, which must not be stored with the signature.
      if (!by || query !== '' || inProgress >= maxAtATime) return
      inProgress += 1
      const { method, headers, body } = request
      const received = {
        ...{ method, path, query, origin: by.origin },
        headers: headers as Record<string, string | undefined>,
        body: Buffer.isBuffer(body) ? body : null,
      }
      void noteSignature(db, { accountId: by.accountId, request: received, at: clock.now() })
        .catch((error) => logger.warn({ error, request_id: request.id }, 'could not note a signature'))
        .finally(() => {
          inProgress -= 1
        })
    },
  }
}

const isSigned = ({ headers }: FastifyRequest) =>
  ['signature-agent', 'signature-input', 'signature'].every((name) => typeof headers[name] === 'string')
