import { randomBytes, randomUUID } from 'node:crypto'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { hashToken, newToken } from '../../src/accounts/sign-in/tokens.ts'
import { newId } from '../../src/platform/identifiers.ts'
import type { StaffRole } from '../../src/staff/roles.ts'
import type { Service } from '../environment/service.ts'
import { openPageSession } from './page-session.ts'

export type Staff = Awaited<ReturnType<typeof openStaff>>

/** The part of the service that it needs. */
type Place = Pick<Service, 'clock' | 'asOwner' | 'deskUrl'>
type Member = { role?: StaffRole; name?: string; email?: string }

/** A staff member, signed in without an email or a working passkey, for tests of later steps. */
export async function openStaff(service: Place, { role = 'reviewer', name = 'Ada Reviewer', email }: Member = {}) {
  const at = service.clock.now()
  const [id, passkeyId, token] = [newId('staff', at), randomBytes(16).toString('base64url'), newToken()]
  await service.asOwner(
    `with member as (
       insert into staff (id, name, email, role, invited_at) values ($1, $2, $3, $4, $5)
     ), passkey as (
       insert into passkeys (id, staff_id, public_key, sign_count, label, created_at)
       values ($6, $1, '\\x00', 0, 'Firefox on Linux', $5)
     )
     insert into staff_sessions (id, token_hash, staff_id, passkey_id, browser, created_at, last_seen_at)
     values ($7, $8, $1, $6, 'Firefox on Linux', $5, $5)`,
    [id, name, email ?? `${id}@desk.example`, role, at, passkeyId, randomUUID(), hashToken(token)],
  )
  return { id, ...staffWith(service, token) }
}

/** The staff member of this session. */
export const staffWith = ({ deskUrl }: Pick<Service, 'deskUrl'>, token: string) =>
  openPageSession({ origin: deskUrl, cookie: 'broadside_desk', token })

/** Signs this member in to a browser. */
export const signInBrowser = ({ deskUrl }: Pick<Service, 'deskUrl'>, context: BrowserContext, token: string) =>
  context.addCookies([{ name: 'broadside_desk', value: token, url: deskUrl }])

/** A virtual passkey authenticator in Chromium: always present, with the user already verified. */
export async function addVirtualAuthenticator(page: Page) {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { session, authenticatorId }
}

/** Opens an emailed link and creates a passkey. The browser is signed in afterwards. */
export async function joinWithPasskey(page: Page, link: string) {
  await page.goto(link)
  await page.getByRole('button', { name: 'Create a passkey' }).click()
  await page.waitForURL(isFront)
}

/** Signs in with this browser's passkey. */
export async function signInWithPasskey(page: Page, { deskUrl }: Pick<Service, 'deskUrl'>) {
  await page.goto(`${deskUrl}/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(isFront)
}

const isFront = ({ pathname }: URL) => pathname === '/'
