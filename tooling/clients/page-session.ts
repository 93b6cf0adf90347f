import { csrfTokenOf } from '../../src/accounts/sign-in/tokens.ts'

type Held = { origin: string; cookie: string; token: string }

/** Who holds a session of one of the doors for people, as a browser that follows no redirects. */
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
    /** Sends a form as a page of the door would. */
    post: (path: string, fields: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams({ csrf, ...fields }),
        headers: { origin, 'sec-fetch-site': 'same-origin' },
      }),
  }
}
