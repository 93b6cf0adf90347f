import { authenticateKey, bearerTokenOf } from '../calls/admit.ts'
import { Problem } from '../contract/problems/problem.ts'
import { findApp } from '../oauth/find-app.ts'
import { challenge } from '../oauth/metadata.ts'
import { looksLikeAccessToken } from '../oauth/secrets.ts'
import type { Authentication } from './http-adapter.ts'
import { commonMcpUrl } from './servers.ts'

/**
 * By access token or API key. A request with neither learns where to sign in. An app that lacks a scope learns which
 * one: its client asks the owner and repeats the call. An agent with a key gets the problem as the tool's result.
 */
export function byTokenOrKey(accountPageUrl: string): Authentication {
  const issuer = new URL(accountPageUrl).origin
  const resource = commonMcpUrl(accountPageUrl)
  const invalid = () =>
    new Problem('invalid_api_key', 'This access token or API key is not valid, or it has expired.', {
      headers: { 'www-authenticate': challenge(issuer, { error: 'invalid_token' }) },
    })
  return {
    authenticate: async (call, { authorization }) => {
      if (authorization === undefined)
        throw new Problem('missing_api_key', 'Sign in with OAuth, or send an API key: Authorization: Bearer <key>.', {
          headers: { 'www-authenticate': challenge(issuer) },
        })
      const token = bearerTokenOf(authorization)
      if (token && looksLikeAccessToken(token)) {
        const app = await findApp(call, token, resource)
        if (!app) throw invalid()
        return app
      }
      return authenticateKey(call, authorization).catch((error) => {
        throw error instanceof Problem && error.code === 'invalid_api_key' ? invalid() : error
      })
    },
    problemForHttp: (problem, known) => {
      if (!known?.isApp || problem.code !== 'insufficient_scope') return undefined
      // Some clients ask for exactly these, so those that the app has are included.
      const scopes = new Set(['read', ...(known.scopes ?? []), ...(problem.members.required_scopes ?? []).slice(0, 1)])
      return problem.withHeaders({
        'www-authenticate': challenge(issuer, { error: 'insufficient_scope', scopes: [...scopes] }),
      })
    },
  }
}
