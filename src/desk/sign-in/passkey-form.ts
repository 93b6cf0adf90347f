import { type Html, html } from '../../markup/html.ts'

type PasskeyForm = {
  action: '/join' | '/sign-in'
  /** What the browser must do, and the WebAuthn options as JSON. */
  does: 'create' | 'get'
  options: string
  label: string
}

/** A button that requests a passkey. The script submits the form once it has one. */
export const passkeyForm = ({ action, does, options, label }: PasskeyForm): Html =>
  html`<form method="post" action="${action}" data-passkey="${does}" data-options="${options}">
<input type="hidden" name="credential">
<button class="button" type="submit">${label}</button>
<p class="error" role="alert" data-says hidden></p>
</form>
<noscript><div class="notice warn later"><p>Passkeys need JavaScript, which is off in this browser. This page loads one script, from this site.</p></div></noscript>`

/** The only message for a rejected passkey, whatever the reason. */
export const refusedNotice = html`<div class="notice bad" role="alert"><h2>That did not work</h2>
<p>The passkey was not accepted, or it took more than five minutes. Try again. If it still fails, ask the person who invited you for a new link.</p></div>`
