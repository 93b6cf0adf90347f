import { type Audited, type CaseKind, verdictsOf } from '../../cases/case-kinds.ts'
import { type Html, html } from '../../markup/html.ts'

/** What works on every page that has it. No answer to a case may have one of these letters. */
export const always: readonly [string, string][] = [
  ['s', 'Skip: the case goes back, and is not offered to you for half an hour'],
  ['u', 'Undo the last decision, within 10 seconds'],
  ['n', 'Next case, where none is open'],
  ['t', 'Take the case that you look at'],
  ['b', 'Blur the text, or show it'],
  ['g q', 'Go to the queue'],
  ['?', 'This list'],
  ['Esc', 'Close what is open'],
]

/** Every key, and what each answer does. Without a kind: the keys that work everywhere. */
export function help(kind?: CaseKind, audited: Audited | null = null): Html {
  const own = kind
    ? verdictsOf(kind, audited).map(({ key, label, says }): [string, string] => [
        key,
        `${label.replace(' …', ', then a category')}. ${says}`,
      ])
    : []
  const rows = [...own, ...always].map(([keys, what]) => {
    const caps = keys.split(' ').map((key) => html`<kbd>${key}</kbd>`)
    return html`<div><dt>!${caps.join(' ')}</dt><dd>${what}</dd></div>`
  })
  return html`<p class="keys-hint"><button class="plain" type="button" popovertarget="help" data-key="?">Keyboard</button> <kbd aria-hidden="true">?</kbd></p>
<dialog popover id="help" class="chooser" aria-labelledby="help-title"><div class="heading"><h2 id="help-title">By keyboard</h2><button class="plain" type="button" popovertarget="help" popovertargetaction="hide">Close</button></div>
<label class="choice"><input type="checkbox" class="letters" checked> These keys work</label>
<dl class="keys">!${rows.join('')}</dl></dialog>`
}
