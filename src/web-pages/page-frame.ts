import { type Html, html } from '../markup/html.ts'
import { icon, mastheadFont, type StaticFile } from './static-files.ts'

export type Content = { title: string; content: Html }

type Frame = Content & {
  /** Shown after the title in the browser tab. */
  siteName: string
  style: StaticFile
  script: StaticFile
  className?: string
  top: Html
  foot: Html
}

/**
 * The HTML document around every page's content. Posts are never rendered as markup on these origins, and the page's
 * own script is the only one.
 */
export function frame({ title, siteName, style, script, className = '', top, content, foot }: Frame): Html {
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} · ${siteName}</title>
<link rel="preload" href="${mastheadFont.url}" as="font" type="${mastheadFont.type}" crossorigin>
<link rel="icon" href="${icon.url}" type="${icon.type}">
<link rel="stylesheet" href="${style.url}">
<script src="${script.url}" defer></script>
</head>
<body!${className === '' ? '' : html` class="${className}"`}>
<a class="skip" href="#content">Skip to the content</a>
<header class="masthead">!${top}</header>
<main id="content" tabindex="-1">!${content}</main>
<footer class="footer">!${foot}</footer>
</body>
</html>
`
}
