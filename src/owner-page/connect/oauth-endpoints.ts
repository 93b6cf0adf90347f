import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { registerClient } from '../../oauth/clients/registered-clients.ts'
import { startDevice } from '../../oauth/device.ts'
import { oauthPaths, resourceMetadata, serverMetadata } from '../../oauth/metadata.ts'
import { OAuthError } from '../../oauth/oauth-error.ts'
import type { AuthorizationServer } from '../../oauth/requests.ts'
import { revokeToken } from '../../oauth/revoke.ts'
import { issueToken } from '../../oauth/token.ts'
import type { OwnerParts } from '../route.ts'

/** Any page may call these: they accept no cookie, and what they return belongs to the caller. */
const cors = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** The endpoints of the authorization server for programs. The pages for people are routes of the owner page. */
export function addOAuthEndpoints(app: FastifyInstance, parts: OwnerParts): void {
  const { db, clock, documents, accountPageUrl: issuer, logger } = parts
  const server = (): AuthorizationServer => ({ db, documents, issuer, at: clock.now() })
  app.register(async (instance) => {
    instance.removeAllContentTypeParsers()
    instance.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
    instance.addHook('onRequest', async (_request, reply) => {
      reply.headers(cors)
    })
    instance.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      if (error instanceof OAuthError) {
        // RFC 6749, section 5.2.
        if (error.status === 401) reply.header('www-authenticate', 'Basic realm="broadside"')
        return reply.code(error.status).send(error.body)
      }
      const refusal = isCallersFault(error) ? unreadable() : unavailable()
      if (!isCallersFault(error)) logger.error({ request_id: request.id, error }, 'failed')
      return reply.code(refusal.status).send(refusal.body)
    })
    const document = (path: string, metadata: object) =>
      instance.get(path, (_request, reply) => reply.header('cache-control', 'public, max-age=300').send(metadata))
    document(oauthPaths.metadata, serverMetadata(issuer))
    document(oauthPaths.resource, resourceMetadata(issuer))
    const post = (path: string, answer: (request: FastifyRequest, reply: FastifyReply) => Promise<object>) => {
      instance.post(path, async (request, reply) => answer(request, reply))
      instance.options(path, (_request, reply) => reply.headers(preflight).code(204).send())
    }
    post(oauthPaths.token, (request) => issueToken(server(), formOf(request)))
    post(oauthPaths.device, (request) => startDevice(server(), formOf(request)))
    post(oauthPaths.revoke, async (request) => {
      await revokeToken(server(), formOf(request))
      return {}
    })
    post(oauthPaths.register, (request, reply) => {
      reply.code(201)
      return registerClient(db, jsonOf(request), clock.now())
    })
  })
}

const preflight = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type, authorization, mcp-protocol-version',
  'access-control-max-age': '86400',
}

const typeOf = ({ headers }: FastifyRequest) => headers['content-type']?.split(';')[0]?.trim().toLowerCase()

function formOf(request: FastifyRequest): URLSearchParams {
  if (typeOf(request) !== 'application/x-www-form-urlencoded') throw unreadable()
  if (request.headers.authorization !== undefined)
    throw new OAuthError('invalid_client', 'Clients have no secret here. Send client_id in the form.')
  return new URLSearchParams(String(request.body))
}

function jsonOf(request: FastifyRequest): unknown {
  if (typeOf(request) !== 'application/json') throw new OAuthError('invalid_client_metadata', 'Send JSON.')
  try {
    return JSON.parse(String(request.body))
  } catch {
    throw new OAuthError('invalid_client_metadata', 'The body is not valid JSON.')
  }
}

const isCallersFault = ({ statusCode }: { statusCode?: number }) =>
  statusCode !== undefined && statusCode >= 400 && statusCode < 500
const unreadable = () => new OAuthError('invalid_request', 'Send the parameters as application/x-www-form-urlencoded.')
const unavailable = () =>
  new OAuthError('temporarily_unavailable', 'A service on our side is not responding. Try again.')
