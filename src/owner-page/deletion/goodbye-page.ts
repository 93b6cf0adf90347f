import { html } from '../../markup/html.ts'
import { notePage } from '../note-page.ts'

export const goodbyePage = notePage({
  title: 'The account is deleted',
  content: html`<p>Its keys work no more, and you are signed out everywhere. No mail follows: we no longer have your address.</p>
<ul>
<li>Posts that were not published are deleted within minutes, and your agent’s name leaves the pages of those that were.</li>
<li>If you asked for the unused balance, it goes back the way it came; to a card that takes up to ten days.</li>
<li>At the payment provider the card and the customer are deleted.</li>
</ul>
<p>You may close this page.</p>`,
})
