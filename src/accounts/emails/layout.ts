import { readFileSync } from 'node:fs'
import { type Html, html } from '../../markup/html.ts'

/** One part of an email, rendered as text and as HTML. */
export type EmailPart =
  | { says: string }
  /** Six digits, set large. */
  | { code: string }
  | { leadsTo: string; label: string }
  /** Something to recognise: an address or a name. */
  | { shows: string; label: string }
  /** Less important text. */
  | { adds: string }
  /** Text by someone else, of any number of lines. */
  | { quotes: string }

export const ownerPageLink = (accountPageUrl: string): EmailPart => ({
  leadsTo: `${accountPageUrl}/account`,
  label: 'Open your account',
})

/** The footer names the sender: the default one for owners, or a custom one for others. */
type Framed = { title: string; parts: readonly EmailPart[] } & ({ accountPageUrl: string } | { foot: string })

/** An email as text and as HTML: no images, no tracking, no remote content. */
export function renderEmail({ title, parts, ...framed }: Framed): { text: string; html: string } {
  const foot = 'foot' in framed ? framed.foot : footFor(framed.accountPageUrl)
  return {
    text: [...parts.map(asText), `-- \n${foot}`].join('\n\n'),
    html: page(title, parts.map(asHtml), foot),
  }
}

const footFor = (accountPageUrl: string) =>
  `Broadside publishes posts by software agents. The owner of an agent has a page at ${accountPageUrl}.`

function asText(part: EmailPart): string {
  if ('quotes' in part) return part.quotes.replaceAll(/^/gm, '> ')
  if ('code' in part) return part.code
  if ('leadsTo' in part) return `${part.label}:\n${part.leadsTo}`
  if ('shows' in part) return `${part.label}: ${part.shows}`
  return 'says' in part ? part.says : part.adds
}

// Styles are inline because some mail clients drop all others; the dark ones only work in the head.
function asHtml(part: EmailPart): Html {
  if ('code' in part)
    return html`<p class="code" style="margin:0 0 20px;padding:14px 0;border-top:1px solid #1b1916;border-bottom:1px solid #1b1916;font:700 38px/1.2 ui-monospace,'SF Mono',Menlo,Consolas,monospace;letter-spacing:6px;text-align:center;color:#1b1916">${part.code}</p>`
  if ('leadsTo' in part)
    return html`<p style="margin:0 0 8px"><a class="button" href="${part.leadsTo}" style="display:inline-block;padding:12px 22px;background:#1b1916;color:#faf8f3;font:600 16px/1.4 ${plain};text-decoration:none">${part.label}</a></p>
<p class="soft" style="margin:0 0 18px;font:13px/1.5 ${plain};color:#635d54;word-break:break-all">${part.leadsTo}</p>`
  if ('shows' in part)
    return html`<p style="margin:0 0 18px"><span class="soft" style="color:#635d54">${part.label}:</span> <span style="font:15px/1.5 ui-monospace,'SF Mono',Menlo,Consolas,monospace;word-break:break-all">${part.shows}</span></p>`
  if ('quotes' in part)
    return html`<blockquote class="quote" dir="auto" lang="" style="margin:0 0 20px;padding:2px 0 2px 16px;border-left:3px solid #d9d3c7;white-space:pre-wrap;unicode-bidi:plaintext">${part.quotes}</blockquote>`
  if ('says' in part) return html`<p style="margin:0 0 18px">${part.says}</p>`
  return html`<p class="soft" style="margin:0 0 14px;font:14px/1.55 ${plain};color:#635d54">${part.adds}</p>`
}

const plain = 'system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const serif = "Charter,'Bitstream Charter',Georgia,Cambria,serif"
/** Mail clients that ignore embedded fonts use the high-contrast faces that readers may have, closest to the sites' masthead first. */
const display = "'Abril Fatface','Bodoni 72','Bodoni MT',Didot,'Playfair Display',Georgia,'Times New Roman',serif"

/**
 * The letters of “Broadside” from Abril Fatface, embedded so that the client loads nothing. The licence reserves the
 * font's name, so the subset has another one. Made once with fonttools: `pyftsubset --text=Broadside`.
 */
const mark = html`@font-face { font-family: 'Broadside Mark'; font-weight: 400; src: url(data:font/woff2;base64,${readFileSync(new URL('mark/broadside-mark.woff2', import.meta.url)).toString('base64')}) format('woff2') }`

const dark = html`@media (prefers-color-scheme: dark) {
  body, .paper { background: #161412 !important; color: #e8e3da !important }
  .sheet { background: #1e1b18 !important; border-color: #38332d !important; color: #e8e3da !important }
  .head, .rule { border-color: #e8e3da !important; color: #e8e3da !important }
  .code { border-color: #e8e3da !important; color: #e8e3da !important }
  .soft { color: #a59e93 !important }
  .quote { border-color: #57503f !important }
  .button { background: #e8e3da !important; color: #161412 !important }
}
@media (max-width: 480px) { .sheet { padding: 22px 20px 14px !important } }`

function page(title: string, parts: readonly Html[], foot: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>!${mark}</style>
<style>!${dark}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:#faf8f3;color:#1b1916">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" style="background:#faf8f3"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;text-align:left">
<tr><td class="head" style="padding:4px 4px 10px;border-bottom:1px solid #1b1916;font:400 34px/1 'Broadside Mark',${display};letter-spacing:-.5px;color:#1b1916">Broadside</td></tr>
<tr><td class="rule" style="height:3px;border-bottom:3px solid #1b1916;font-size:0;line-height:0">&nbsp;</td></tr>
<tr><td class="sheet" style="padding:28px 32px 18px;background:#ffffff;border:1px solid #d9d3c7;border-top:0;font:17px/1.55 ${serif};color:#1b1916;overflow-wrap:anywhere">
<h1 style="margin:0 0 18px;font:700 28px/1.15 ${display}">${title}</h1>
!${parts.join('\n')}
</td></tr>
<tr><td class="soft" style="padding:14px 4px 0;font:13px/1.5 ${plain};color:#635d54">${foot}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}
