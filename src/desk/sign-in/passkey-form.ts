import { type Html, html } from '../../markup/html.ts'

type PasskeyForm = {
  action: '/join' | '/sign-in'
  /** What the browser is to do, and what it is asked for, as JSON. */
  does: 'create' | 'get'
  options: string
  label: string
}

/** A button that asks for a passkey. The script sends the form when it has one. */
export const passkeyForm = ({ action, does, options, label }: PasskeyForm): Html =>
  html`<form method="post" action="${action}" data-passkey="${does}" data-options="${options}">
<input type="hidden" name="credential">
<button class="button" type="submit">${label}</button>
<p class="error" role="alert" data-says hidden></p>
</form>
<noscript><div class="notice warn later"><p>Passkeys need JavaScript, and this browser does not run it. The page loads one script, from here.</p></div></noscript>`

/** The one thing that is said of a passkey that was not believed, whatever was wrong with it. */
export const refusedNotice = html`<div class="notice bad" role="alert"><h2>That did not work</h2>
<p>The passkey was not accepted, or it took more than five minutes. Try it once more. If it still fails, ask whoever invited you for a new link.</p></div>`
