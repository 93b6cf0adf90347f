import assert from 'node:assert/strict'
import { startOwnerSession } from '../../src/accounts/sign-in/sessions.ts'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import type { Service } from '../environment/service.ts'
import { type Inbox, startInbox } from '../services/inbox.ts'
import type { Mail } from '../services/inbox-pages.ts'
import { openPageSession } from './page-session.ts'

export type Owner = Awaited<ReturnType<typeof openOwner>>

/** The owner of an account, signed in without an email, for tests of later steps. */
export async function openOwner(service: Service, accountId: string) {
  await using connection = connect(service.database.urls.owner_page, { poolMax: 1, applicationName: 'test owner' })
  const token = await inTransaction(connection.db, (tx) =>
    startOwnerSession(tx, { accountId, browser: 'Firefox on Linux', at: service.clock.now() }),
  )
  return ownerWith(service, token)
}

/** The owner of this session. */
export const ownerWith = ({ accountPageUrl }: Pick<Service, 'accountPageUrl'>, token: string) =>
  openPageSession({ origin: accountPageUrl, cookie: 'broadside_owner', token })

export type OwnerBrowser = ReturnType<typeof openOwnerBrowser>

/** A browser on the owner page: keeps cookies, does not follow redirects, and submits the forms of the current page. */
export function openOwnerBrowser({ accountPageUrl }: Pick<Service, 'accountPageUrl'>) {
  const cookies = new Map<string, string>()
  let shown = ''
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(path, accountPageUrl), {
      redirect: 'manual',
      ...init,
      headers: { ...(cookie && { cookie }), ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    const page = await response.text()
    if (page) shown = page
    return { status: response.status, location: response.headers.get('location'), headers: response.headers, page }
  }
  return {
    cookies,
    send,
    get: (path: string) => send(path),
    /** Submits a form of the current page with its token. */
    submit: (path: string, fields: Record<string, string> = {}) => {
      const csrf = /name="csrf" value="([^"]+)"/.exec(shown)?.[1]
      return send(path, {
        method: 'POST',
        body: new URLSearchParams({ ...(csrf && { csrf }), ...fields }),
        headers: { origin: accountPageUrl, 'sec-fetch-site': 'same-origin' },
      })
    },
  }
}

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>

/** A real mail server and the emails it received. */
export async function openMailbox() {
  const inbox: Inbox = await startInbox({ smtpPort: 0, webPort: 0 })
  const url = `http://127.0.0.1:${inbox.webPort}/email`
  const read = async (to: string) =>
    ((await (await fetch(url)).json()) as Mail[]).filter((mail) => mail.to.includes(to))
  return {
    smtpUrl: `smtp://127.0.0.1:${inbox.smtpPort}`,
    /** All emails to an address, oldest first. */
    read,
    /** The code from the newest email. */
    codeFor: async (to: string): Promise<string> => {
      const code = /^\d{6}$/m.exec((await read(to)).at(-1)?.text ?? '')?.[0]
      assert.ok(code, `a code was mailed to ${to}`)
      return code
    },
    [Symbol.asyncDispose]: () => inbox[Symbol.asyncDispose](),
  }
}
