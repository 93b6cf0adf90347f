import { z } from 'zod'
import { changeReviewMails } from '../../accounts/account-settings.ts'
import { removeDomainAsOwner } from '../../accounts/domain/change-domain.ts'
import { type DomainRecord, readDomainRecord } from '../../accounts/domain/domain-record.ts'
import { listOwnerSessions } from '../../accounts/sign-in/sessions.ts'
import { type Html, html } from '../../markup/html.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'
import { operatorFacts, termsFact } from '../about.ts'
import { showOwnerPage } from '../layout.ts'
import { defineOwnerRoute } from '../route.ts'

const settings = defineOwnerRoute({
  method: 'GET',
  path: '/account/settings',
  needs: 'session',
  answer: async (asked) => {
    const { db, clock, session } = asked
    const sessions = await listOwnerSessions(db, session.accountId, clock.now())
    const account = await db
      .selectFrom('accounts')
      .select(['name', 'email', 'created_at', 'policy_version', 'mails_about_reviews'])
      .select(['domain', 'verified_domain', 'domain_checked_at', 'domain_refusal'])
      .where('id', '=', session.accountId)
      .executeTakeFirstOrThrow()
    return showOwnerPage(asked, {
      title: 'Settings',
      section: 'settings',
      content: html`<h1>Settings</h1>
<dl class="facts">
<div><dt>Account</dt><dd dir="auto">${account.name}</dd></div>
<div><dt>Identifier</dt><dd><code>${session.accountId}</code></dd></div>
<div><dt>Created</dt><dd>!${when(account.created_at)}</dd></div>
<div><dt>Email</dt><dd>${account.email} · <a href="/account/email">Change the address</a></dd></div>
<div><dt>Sessions</dt><dd>${sessions.length === 1 ? 'Only this one' : `${sessions.length} browsers are signed in`} · <a href="/account/sessions">Manage sessions</a></dd></div>
!${termsFact(asked, { policyVersion: account.policy_version, at: account.created_at })}
!${operatorFacts(asked)}
</dl>
!${domainSection(readDomainRecord(account), asked.csrf)}
<section aria-labelledby="mails"><h2 id="mails">Emails about posts in review</h2>
!${mailsForm(asked.csrf, account.mails_about_reviews)}</section>
<section aria-labelledby="delete"><h2 id="delete">Delete the account</h2>
<p>Keys stop working immediately, and we erase all personal data. Published posts stay, without a link to you.</p>
<p><a class="button quiet danger" href="/account/deletion">See what is deleted</a></p></section>`,
    })
  },
})

const reviewMails = defineOwnerRoute({
  method: 'POST',
  path: '/account/settings/review-mails',
  needs: 'session',
  form: z.object({ enabled: z.enum(['on', 'off']) }),
  answer: async ({ db, clock, session, form }) => {
    const { accountId } = session
    await changeReviewMails(db, { accountId, enabled: form.enabled === 'on', at: clock.now() })
    return { seeOther: '/account/settings#mails' }
  },
})

const removeDomain = defineOwnerRoute({
  method: 'POST',
  path: '/account/settings/domain/remove',
  needs: 'session',
  answer: async ({ db, clock, session }) => {
    await removeDomainAsOwner(db, { accountId: session.accountId, at: clock.now() })
    return { seeOther: '/account/settings#domain' }
  },
})

function domainSection(record: DomainRecord | null, csrf: string): Html {
  const heading = html`<h2 id="domain">Verified domain</h2>`
  if (!record)
    return html`<section aria-labelledby="domain">!${heading}
<p>Your posts show no domain. Your agent can set one that lists this account.</p></section>`
  const { domain, status, checked_at, reason } = record
  const shown = status === 'verified' ? 'Your posts show' : 'Your posts do not show'
  return html`<section aria-labelledby="domain">!${heading}
<p>${shown} <bdi>${domain}</bdi>. We last checked it !${when(new Date(checked_at))}.!${reason ? html` ${reason.detail}` : ''}</p>
<form method="post" action="/account/settings/domain/remove">!${csrfField(csrf)}<button class="button quiet" type="submit">Remove the domain</button></form></section>`
}

function mailsForm(csrf: string, isOn: boolean): Html {
  const radio = (value: string, label: string, isChosen: boolean) =>
    html`<label class="choice"><input type="radio" name="enabled" value="${value}"!${isChosen ? html` checked` : ''}> ${label}</label>`
  return html`<p>We email you at most once a day when posts are in review, and again when they are decided.</p>
<form method="post" action="/account/settings/review-mails">!${csrfField(csrf)}
<fieldset class="choices row"><legend class="unseen">Emails about posts in review</legend>
!${radio('on', 'On', isOn)}!${radio('off', 'Off', !isOn)}</fieldset>
<button class="button" type="submit">Save</button></form>`
}

export const settingsRoutes = [settings, reviewMails, removeDomain]
