import { z } from 'zod'
import { Problem } from '../../contract/problems/problem.ts'
import { type Scope, scopeNames } from '../../contract/scopes.ts'
import { html } from '../../markup/html.ts'
import { allowRequest, type DecidedRequest, denyRequest } from '../../oauth/decide.ts'
import type { OpenRequest } from '../../oauth/requests.ts'
import { cap, capValue } from '../keys/key-form.ts'
import { ownerNotePage } from '../layout.ts'
import { defineOwnerRoute, type Shown } from '../route.ts'
import { closedRequestPage, withRequest } from './connect-page.ts'
import { consentPage, postingChoices } from './consent-page.ts'

const decide = defineOwnerRoute({
  method: 'POST',
  path: '/connect/:request',
  needs: 'session',
  form: z.object({
    decision: z.enum(['allow', 'deny']),
    posting: z.enum(['publish', 'publish_with_approval', 'read']).default('read'),
    webhooks: z.literal('on').optional(),
    account: z.literal('on').optional(),
    cap,
  }),
  answer: (asked) =>
    withRequest(asked, asked.params['request'], async (request) => {
      const { db, clock, accountPageUrl: issuer, session, form } = asked
      const deciding = { requestId: request.id, issuer, at: clock.now() }
      if (form.decision === 'deny') return follow(await denyRequest(db, deciding), 'deny')
      const allowed = { accountId: session.accountId, scopes: chosenScopes(request, form), dailyCapMicros: form.cap }
      try {
        return follow(await allowRequest(db, { ...deciding, ...allowed }), 'allow')
      } catch (error) {
        // The account is banned or has the maximum number of keys and apps.
        if (error instanceof Problem)
          return consentPage(asked, request, {
            values: sentValues(form),
            hindrance: error.message,
            status: error.status,
          })
        throw error
      }
    }),
  unfit: (asked, faults) =>
    withRequest(asked, asked.params['request'], (request) =>
      consentPage(asked, request, { values: asked.form, faults, status: 422 }),
    ),
})

type Chosen = { posting: Scope; webhooks?: 'on' | undefined; account?: 'on' | undefined }

const sentValues = ({ posting, webhooks, account, cap: micros }: Chosen & { cap: number | null }) => ({
  posting,
  webhooks: webhooks ?? '',
  account: account ?? '',
  cap: capValue(micros),
})

/** What the owner chose, and never more than the app asked for. */
function chosenScopes({ scopes }: OpenRequest, { posting, webhooks, account }: Chosen): Scope[] {
  const mayPost = postingChoices(scopes).includes(posting as never)
  const chosen = new Set<Scope>(['read', ...(mayPost ? [posting] : [])])
  if (webhooks && scopes.includes('webhooks')) chosen.add('webhooks')
  if (account && scopes.includes('account')) chosen.add('account')
  return scopeNames.filter((name) => chosen.has(name))
}

function follow(decided: DecidedRequest, decision: 'allow' | 'deny'): Shown {
  const cookies = { connect: null, mailbox: null }
  if (decided === 'gone') return { status: 410, page: closedRequestPage, cookies }
  return 'redirect' in decided
    ? { seeOther: decided.redirect, cookies }
    : { seeOther: `/connect/device-${decision === 'allow' ? 'connected' : 'declined'}`, cookies }
}

const deviceConnected = defineOwnerRoute({
  method: 'GET',
  path: '/connect/device-connected',
  needs: 'session',
  answer: () => ({
    page: ownerNotePage({
      title: 'Your device is connected',
      content: html`<p>Return to it. It continues by itself within a few seconds.</p>
<p><a href="/account/keys">See your apps and keys</a></p>`,
    }),
  }),
})

const deviceDeclined = defineOwnerRoute({
  method: 'GET',
  path: '/connect/device-declined',
  needs: 'session',
  answer: () => ({
    page: ownerNotePage({
      title: 'Nothing was connected',
      content: html`<p>You declined. You can close this page.</p>`,
    }),
  }),
})

export const consentRoutes = [deviceConnected, deviceDeclined, decide]
