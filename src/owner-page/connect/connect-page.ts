import { isProven } from '../../accounts/mailbox-sign-in/mailbox-codes.ts'
import { isToken } from '../../accounts/sign-in/tokens.ts'
import { html } from '../../markup/html.ts'
import { findRequest, type OpenRequest } from '../../oauth/requests.ts'
import { ownerNotePage } from '../layout.ts'
import { defineOwnerRoute, type OwnerAccess, type OwnerRequest, type Shown } from '../route.ts'
import { consentPage } from './consent-page.ts'
import { accountsPage, codePage, emailPage } from './sign-in-pages.ts'

/** The page of one request: first who the owner is, then what the app may do. */
export const showRequest = defineOwnerRoute({
  method: 'GET',
  path: '/connect/:request',
  needs: 'nothing',
  answer: (asked) =>
    withRequest(asked, asked.params['request'], async (request) => {
      const { session, mailbox, query } = asked
      if (session && query['account'] !== 'another') return consentPage({ ...asked, session }, request)
      if (query['address'] === 'another') return emailPage(request)
      if (mailbox && isProven(mailbox)) return accountsPage({ ...asked, mailbox }, request)
      return mailbox ? codePage({ ...asked, mailbox }, request) : emailPage(request)
    }),
})

/** Calls `goOn` with the request, or says that it is over. */
export async function withRequest<N extends OwnerAccess>(
  { db, clock }: OwnerRequest<N, unknown>,
  id: string | undefined,
  goOn: (request: OpenRequest) => Promise<Shown> | Shown,
): Promise<Shown> {
  const request = id && isToken(id) ? await findRequest(db, id, clock.now()) : null
  return request ? goOn(request) : { status: 410, page: closedRequestPage, cookies: { connect: null } }
}

export const closedRequestPage = ownerNotePage({
  title: 'This request is no longer open',
  content: html`<p>It was already decided, or it has expired. To connect the app, start again in the app.</p>
<p><a href="/account/keys">See the apps and keys of your account</a></p>`,
})
