import { createHash } from 'node:crypto'
import { type Html, html } from '../../markup/html.ts'

/** In the page itself: while nginx answers for a server, no stylesheet can be loaded from it. */
const style = html`:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif }
body { max-width: 34rem; margin: 12vh auto; padding: 0 1.25rem }
h1 { font-size: 1.5rem; line-height: 1.25 }`
const styleHash = createHash('sha256').update(style).digest('base64')

export type GatewayPage = { status: number; retryAfterSeconds?: number; page: Html }

/** What people see at the owner page and the desk when nginx answers itself, by its name in nginx.conf. */
export const gatewayPages = (retryAfterSeconds: number): Readonly<Record<string, GatewayPage>> => ({
  away: {
    status: 503,
    retryAfterSeconds: 5,
    page: page('Back in a moment', {
      head: html`<meta http-equiv="refresh" content="5">`,
      content: html`<p>This page will be back in a moment and will reload by itself.</p>`,
    }),
  },
  // Reloading a form's address would not work, and the request may already have been processed.
  'away.form': {
    status: 503,
    retryAfterSeconds: 5,
    page: page('Back in a moment', {
      content: html`<p>This page will be back in a moment. Your request may or may not have been processed: go back and check before you send it again.</p>`,
    }),
  },
  too_many: {
    status: 429,
    retryAfterSeconds,
    page: page('Too many requests', {
      content: html`<p>Your network sent more requests to this page than we allow. Nothing was changed.</p>
<p>Wait ${retryAfterSeconds} seconds, then go back and try again.</p>`,
    }),
  },
  too_large: {
    status: 413,
    page: page('This form is too large', {
      content: html`<p>We accept at most 16 KB of text in one form. Nothing was changed.</p>
<p>Go back, shorten the text and send it again.</p>`,
    }),
  },
})

/** The same headers as on the servers' pages, but these pages load nothing and have no form. */
export const gatewayPageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

function page(title: string, { head = '', content }: { head?: Html | ''; content: Html }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
!${head}
<title>${title}</title>
<style>!${style}</style>
</head>
<body>
<h1>${title}</h1>
!${content}
</body>
</html>
`
}
