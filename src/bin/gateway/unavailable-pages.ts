import { type Html, html } from '../../markup/html.ts'

/** What a person is shown while the door behind the gateway restarts, by the name that nginx.conf knows it by. */
export const unavailablePages: Readonly<Record<string, Html>> = {
  away: page({
    head: html`<meta http-equiv="refresh" content="5">`,
    content: html`<p>This page is back in a moment, and opens by itself.</p>`,
  }),
  // Opened by itself, the address of a form would lead nowhere. And it may have been done just before.
  'away.form': page({
    head: '',
    content: html`<p>This page is back in a moment. What you sent may have been done or not: go back, and look before you send it again.</p>`,
  }),
}

/** As the doors send them with their own pages; and this one loads nothing and has no form. */
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
