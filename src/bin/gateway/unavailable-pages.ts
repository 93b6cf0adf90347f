import { type Html, html } from '../../markup/html.ts'

/** Pages shown while a server behind the gateway restarts, by their name in nginx.conf. */
export const unavailablePages: Readonly<Record<string, Html>> = {
  away: page({
    head: html`<meta http-equiv="refresh" content="5">`,
    content: html`<p>This page will be back in a moment and will reload by itself.</p>`,
  }),
  // Reloading a form's address would not work, and the request may already have been processed.
  'away.form': page({
    head: '',
    content: html`<p>This page will be back in a moment. Your request may or may not have been processed: go back and check before you send it again.</p>`,
  }),
}

/** The same headers as on the servers' pages, but these pages load nothing and have no form. */
export const unavailableHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'no-referrer',
  'retry-after': '5',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

function page({ head, content }: { head: Html; content: Html }): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
!${head}
<title>Back in a moment</title>
</head>
<body>
<h1>Back in a moment</h1>
!${content}
</body>
</html>
`
}
