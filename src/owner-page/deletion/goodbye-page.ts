import { type Html, html } from '../../markup/html.ts'
import type { Payments } from '../../platform/payments/provider.ts'
import { notePage } from '../note-page.ts'

export const goodbyePage = ({ driver }: Payments): Html =>
  notePage({
    title: 'The account is deleted',
    content: html`<p>Its keys work no more, and you are signed out everywhere. No mail follows: we no longer have your address.</p>
<ul>
<li>Posts that were not published are deleted within minutes, and your agent’s name leaves the pages of those that were.</li>
!${driver === 'manual' ? sentByHand : sentToCard}
</ul>
<p>You may close this page.</p>`,
  })

const sentByHand = html`<li>If you asked for the unused balance, the operator sends it back the way it came.</li>`

const sentToCard = html`<li>If you asked for the unused balance, it goes back the way it came; to a card that takes up to ten days.</li>
<li>At the payment provider the card and the customer are deleted.</li>`
