import { z } from 'zod'
import { type Html, html } from '../../markup/html.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { recordStaffAction } from '../../staff/audit-log.ts'
import { PasskeyRefusal } from '../../staff/passkey-refusal.ts'
import { askForPasskey } from '../../staff/passkeys.ts'
import { endStaffSessions } from '../../staff/sessions.ts'
import { signInWithPasskey } from '../../staff/sign-in.ts'
import { deskLayout } from '../layout.ts'
import { type DeskRequest, defineDeskRoute, type Shown } from '../route.ts'
import { passkeyForm, refusedNotice } from './passkey-form.ts'

const showSignIn = defineDeskRoute({
  method: 'GET',
  path: '/sign-in',
  needs: 'nothing',
  answer: (asked) => (asked.session ? { seeOther: '/' } : signInPage(asked)),
})

const signIn = defineDeskRoute({
  method: 'POST',
  path: '/sign-in',
  needs: 'nothing',
  form: z.object({ credential: z.string() }),
  answer: async (asked) => {
    const { db, clock, logger, session, browser, form } = asked
    try {
      const signingIn = { credential: form.credential, browser, replaced: session, at: clock.now() }
      const token = await signInWithPasskey(db, asked, signingIn)
      return { seeOther: '/', cookies: { staff_session: token, staff_link: null } }
    } catch (error) {
      if (!(error instanceof PasskeyRefusal)) throw error
      logger.info({ kind: error.kind }, 'passkey refused')
      return signInPage(asked, refusedNotice)
    }
  },
})

const signOut = defineDeskRoute({
  method: 'POST',
  path: '/sign-out',
  needs: 'reviewer',
  answer: async ({ db, clock, session: { id, member } }) => {
    const at = clock.now()
    await inTransaction(db, async (tx) => {
      await endStaffSessions(tx, { staffId: member.id, id, at })
      await recordStaffAction(tx, { staffId: member.id, action: 'staff.sign_out', at })
    })
    return { seeOther: '/sign-in', cookies: { staff_session: null } }
  },
})

async function signInPage(asked: DeskRequest<'nothing', unknown>, notice?: Html): Promise<Shown> {
  const options = await askForPasskey(asked, asked.clock.now())
  const content = html`<h1>Sign in to the desk</h1>
!${notice ?? ''}
<p>Unlock your passkey the way you unlock this device. You stay signed in for up to twelve hours, or until you have been inactive for one hour.</p>
!${passkeyForm({ action: '/sign-in', does: 'get', options, label: 'Sign in with a passkey' })}
<section class="later"><h2>No passkey on this device?</h2>
<p class="soft">If your passkey is on your phone, the browser lets you use it from there. Otherwise, ask an operator to email you a new link. They only need your email address.</p></section>`
  return { status: notice ? 422 : 200, page: deskLayout({ title: 'Sign in', content }) }
}

export const passkeyRoutes = [showSignIn, signIn, signOut]
