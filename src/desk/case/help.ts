import type { VerdictDefinition } from '../../cases/case-kinds.ts'
import { type Html, html } from '../../markup/html.ts'

/** Shortcuts that work on every page with the matching control. Verdicts must not use these letters. */
export const always: readonly [string, string][] = [
  ['s', 'Skip: return the case to the queue and hide it from you for half an hour'],
  ['u', 'Undo the last decision, within 10 seconds'],
  ['n', 'Next case, if no case is open'],
  ['t', 'Take the case you are viewing'],
  ['b', 'Blur or show the text'],
  ['g q', 'Go to the queue'],
  ['?', 'Show this list'],
  ['Esc', 'Close the open dialog'],
]

/** All shortcuts, and what each verdict does. Without verdicts: only the shortcuts that work everywhere. */
export function help(verdicts: readonly VerdictDefinition[] = []): Html {
  const own = verdicts.map(({ key, label, says }): [string, string] => [
    key,
    `${label.replace(' …', ', then a category')}. ${says}`,
  ])
  const rows = [...own, ...always].map(([keys, what]) => {
    const caps = keys.split(' ').map((key) => html`<kbd>${key}</kbd>`)
    return html`<div><dt>!${caps.join(' ')}</dt><dd>${what}</dd></div>`
  })
  return html`<p class="keys-hint"><button class="plain" type="button" popovertarget="help" data-key="?">Keyboard</button> <kbd aria-hidden="true">?</kbd></p>
<dialog popover id="help" class="chooser" aria-labelledby="help-title"><div class="heading"><h2 id="help-title">Keyboard shortcuts</h2><button class="plain" type="button" popovertarget="help" popovertargetaction="hide">Close</button></div>
<label class="choice"><input type="checkbox" class="letters" checked> Enable shortcuts</label>
<dl class="keys">!${rows.join('')}</dl></dialog>`
}
