import { html } from '../../../markup/html.ts'
import { keyCap } from '../labels.ts'

/** Blurs what others wrote. The script remembers the choice from page to page. */
export const blurChoice = html`<label class="choice blurs"><input type="checkbox" class="blur" data-key="b"> Blur the text !${keyCap('b')}</label>`
