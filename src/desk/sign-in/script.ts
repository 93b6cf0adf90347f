/**
 * Requests a passkey from the browser, puts the result into the form and submits it. The page reloads before its
 * challenge expires.
 */
export const passkeyScript = `
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const says = form.querySelector('[data-says]')
  const button = form.querySelector('button')
  const { passkey: act, options } = form.dataset
  const parse = act === 'create' ? 'parseCreationOptionsFromJSON' : 'parseRequestOptionsFromJSON'
  const faults = {
    NotAllowedError: 'Nothing was sent: you stopped, it took too long, or this device has no passkey for the desk. Try again when you are ready.',
    InvalidStateError: 'This device has a passkey of yours already. You can sign in with it.',
    SecurityError: 'The browser does not let this page use passkeys. Open the desk at its own address.',
  }
  const say = (text) => {
    says.textContent = text
    says.hidden = false
    button.disabled = false
  }
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (!globalThis.PublicKeyCredential?.[parse])
      return say('This browser cannot use passkeys. A current Firefox, Chrome, Edge or Safari can.')
    says.hidden = true
    button.disabled = true
    try {
      const publicKey = PublicKeyCredential[parse](JSON.parse(options))
      const credential = await navigator.credentials[act]({ publicKey })
      form.elements.namedItem('credential').value = JSON.stringify(credential)
      form.submit()
    } catch (error) {
      say(faults[error.name] ?? 'The passkey could not be used. Try again, or take another device.')
    }
  })
  setInterval(() => button.disabled || location.replace(form.action), 150_000)
}
`
