import { csrfTokenOf } from '../../src/accounts/sign-in/tokens.ts'

type Held = { origin: string; cookie: string; token: string }

/** A session on the owner page or the desk. Like a browser, but it does not follow redirects. */
export function openPageSession({ origin, cookie, token }: Held) {
  const csrf = csrfTokenOf(token)
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${origin}${path}`, {
      redirect: 'manual',
      ...init,
      headers: { cookie: `${cookie}=${token}`, ...init.headers },
    })
  return {
    token,
    csrf,
    send,
    get: (path: string) => send(path),
    /** Submits a form as a page would. */
    post: (path: string, fields: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams({ csrf, ...fields }),
        headers: { origin, 'sec-fetch-site': 'same-origin' },
      }),
  }
}
