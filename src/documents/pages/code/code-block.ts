import { type Html, html } from '../../../markup/html.ts'
import { highlight } from './highlight.ts'

/** Code between two fences. */
export type Fence = {
  /** The word after the fence: `sh`. Empty for plain text. */
  language: string
  /** What follows that word. Code with a title is folded. */
  title: string
  text: string
}

/** What readers call the languages in which a call is shown. */
const languageNames: Readonly<Record<string, string>> = {
  ...{ sh: 'curl', ts: 'TypeScript', python: 'Python', go: 'Go', ruby: 'Ruby' },
}

/** Whether the fences show one thing in several languages. */
export const areAlternatives = (fences: readonly Fence[]): boolean =>
  fences.length === new Set(fences.map(({ language }) => language)).size &&
  fences.every(({ language, title }) => language in languageNames && title === '')

/** Long lines scroll, so the block must be reachable by keyboard. */
export function codeBlock({ text, language, title }: Fence): Html {
  const code = language === '' ? html`${text}` : highlight(text, language)
  const block = html`<div class="code"><pre tabindex="0"><code!${language === '' ? '' : html` class="language-${language}"`}>!${code}</code></pre></div>`
  return title === ''
    ? block
    : html`<details><summary>${title}</summary>
!${block}</details>`
}

/**
 * The same call in several languages, as tabs that need no script: the checked radio button shows its block, and arrow
 * keys move between them.
 */
export function codeTabs(fences: readonly Fence[], id: string): Html {
  const tabs = fences.map(
    ({ language }, index) =>
      html`<input type="radio" name="${id}" id="${id}-${language}" value="${language}"!${index === 0 ? ' checked' : ''}><label for="${id}-${language}">${languageNames[language] ?? language}</label>`,
  )
  return html`<fieldset class="tabs">
<legend>Language of the example</legend>
!${tabs.join('\n')}
!${fences.map(codeBlock).join('\n')}
</fieldset>`
}
