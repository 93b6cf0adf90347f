import { z } from 'zod'
import { type Html, html } from '../../markup/html.ts'
import { opensLocalProgram, redirectHost } from '../../oauth/clients/redirect-uris.ts'
import { devicePath, findDeviceRequest } from '../../oauth/device.ts'
import { oauthPaths } from '../../oauth/metadata.ts'
import type { OAuthError } from '../../oauth/oauth-error.ts'
import { receiveRequest } from '../../oauth/requests.ts'
import { textField } from '../../web-pages/form.ts'
import { ownerLayout, ownerNotePage } from '../layout.ts'
import { defineOwnerRoute, type Shown } from '../route.ts'

/** The address that apps send their owner to. The cookie only leads back here after a top-up. */
const authorize = defineOwnerRoute({
  method: 'GET',
  path: oauthPaths.authorize,
  needs: 'nothing',
  answer: async ({ db, clock, documents, accountPageUrl: issuer, parameters }): Promise<Shown> => {
    const received = await receiveRequest({ db, documents, issuer, at: clock.now() }, parameters)
    if ('refusal' in received) return { status: received.refusal.status, page: refusalPage(received.refusal) }
    if ('redirect' in received)
      return opensLocalProgram(received.redirect)
        ? { seeOther: received.redirect }
        : { status: received.error.status, page: errorPage(received) }
    return { seeOther: `/connect/${received.request}`, cookies: { connect: received.request } }
  },
})

/**
 * Anyone can register an app with any site. If errors led there by themselves, a link to this server could bring people
 * to any site (RFC 9700, section 4.11.2).
 */
const errorPage = ({ error, redirect }: { error: OAuthError; redirect: string }) =>
  ownerNotePage({
    title: 'This app cannot be connected',
    content: html`<p>${error.message}</p>
<p>Nothing was changed. If you came from <strong>${redirectHost(redirect)}</strong>, you can <a href="${redirect}" rel="noreferrer">return there</a>. If not, close this page.</p>`,
  })

const refusalPage = (error: OAuthError) =>
  ownerNotePage({
    title: 'This app cannot be connected',
    content: html`<p>${error.message}</p>
<p>Nothing was changed. Start again in the app. If that does not help, send this error code to the app’s developer: <code>${error.code}</code>.</p>`,
  })

const showDevice = defineOwnerRoute({
  method: 'GET',
  path: devicePath,
  needs: 'nothing',
  answer: ({ query }) => ({ page: devicePage({ value: query['code']?.slice(0, 20) ?? '' }) }),
})

const enterDevice = defineOwnerRoute({
  method: 'POST',
  path: devicePath,
  needs: 'nothing',
  form: z.object({ code: z.string().max(40) }),
  answer: async ({ db, clock, form }) => {
    const request = await findDeviceRequest(db, form.code, clock.now())
    if (request) return { seeOther: `/connect/${request}`, cookies: { connect: request } }
    const error = 'This code is wrong or more than 15 minutes old. Check the letters, or start again on your device.'
    return { status: 422, page: devicePage({ value: form.code, error }) }
  },
})

const devicePage = ({ value, error }: { value: string; error?: string }): Html =>
  ownerLayout({
    title: 'Connect a device',
    content: html`<h1>Connect a device</h1>
<p class="lede">Enter the code that your device or terminal shows.</p>
<form method="post" action="${devicePath}">
!${textField({
      name: 'code',
      label: 'Code',
      value,
      hint: 'Eight letters. Enter a code only if you started this yourself, on a device that you can see.',
      error,
      attributes: html`class="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="12" required autofocus`,
    })}
<button class="button" type="submit">Continue</button>
</form>`,
  })

export const authorizeRoutes = [authorize, showDevice, enterDevice]
