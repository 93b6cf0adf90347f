import { z } from 'zod'
import { isToken } from '../../accounts/sign-in/tokens.ts'
import { draftLimits } from '../../contract/draft-limits.ts'
import { type DraftDecision, decideDrafts } from '../../drafts/decide-drafts.ts'
import { findDraftVisit } from '../../drafts/draft-links.ts'
import { html } from '../../markup/html.ts'
import { ownerLayout, ownerNotePage, showOwnerPage } from '../layout.ts'
import { readId } from '../read-id.ts'
import { defineOwnerRoute, type OwnerParts } from '../route.ts'
import { draftsContent, outcomeQuery } from './drafts-page.ts'

const ownPath = '/account/drafts'
const linkPath = '/drafts'

const showOwn = defineOwnerRoute({
  method: 'GET',
  path: ownPath,
  needs: 'session',
  answer: async (asked) => {
    const { accountId } = asked.session
    const content = await draftsContent({ ...asked, accountId, path: ownPath, isByLink: false })
    return showOwnerPage(asked, { title: 'Drafts', section: 'drafts', content })
  },
})

/** A button for one draft sends `one`; the buttons for selected drafts send `decision`, and each box sends its id. */
const form = z.looseObject({
  decision: z.enum(['approve', 'decline']).optional(),
  one: z
    .string()
    .regex(/^(?:approve|decline) \w+$/)
    .optional(),
})

const decideOwn = defineOwnerRoute({
  method: 'POST',
  path: ownPath,
  needs: 'session',
  form,
  answer: async (asked) => ({ seeOther: `${ownPath}?${await decide(asked, asked.session.accountId, asked.form)}` }),
})

/**
 * Opens the page that decides on drafts, without a code: whoever reads the owner's mailbox could also read the code. It
 * changes nothing, because programs that check emails open links too.
 */
const openLink = defineOwnerRoute({
  method: 'GET',
  path: '/d/:token',
  needs: 'nothing',
  answer: async ({ db, clock, params }) => {
    const token = String(params['token'])
    const visit = isToken(token) ? await findDraftVisit(db, token, clock.now()) : null
    return visit ? { seeOther: linkPath, cookies: { drafts: token } } : { status: 410, page: expiredPage }
  },
})

const expiredPage = ownerNotePage({
  title: 'This link has expired',
  content: html`<p>A link to decide on drafts works for ${draftLimits.linkDays} days, and only while your email address stays the same.</p>
<p><a class="button" href="${ownPath}">Sign in to see the drafts</a></p>`,
})

const showByLink = defineOwnerRoute({
  method: 'GET',
  path: linkPath,
  needs: 'drafts',
  answer: async (asked) => {
    const { accountId } = asked.drafts
    const content = await draftsContent({ ...asked, accountId, path: linkPath, isByLink: true })
    return { page: ownerLayout({ title: 'Drafts', content: html`!${content}!${limitedNote}` }) }
  },
})

const limitedNote = html`<p class="small">You opened this page with a link from our email. It shows drafts only. <a href="${ownPath}">Sign in</a> for everything else.</p>`

const decideByLink = defineOwnerRoute({
  method: 'POST',
  path: linkPath,
  needs: 'drafts',
  form,
  answer: async (asked) => ({ seeOther: `${linkPath}?${await decide(asked, asked.drafts.accountId, asked.form)}` }),
})

/** Decides on what the form names, and returns the query that says what happened. */
async function decide({ db, clock }: OwnerParts, accountId: string, sent: z.output<typeof form>): Promise<string> {
  const { decision, one, ...boxes } = sent
  const [asked, id] = (one ?? '').split(' ')
  const chosen = (one ? asked : decision) as DraftDecision | undefined
  const named = one ? [id] : Object.keys(boxes)
  const ids = named.flatMap((name) => readId('draft', name) ?? []).slice(0, draftLimits.maxOpen)
  if (!chosen || ids.length === 0) return outcomeQuery('approve', { decided: 0, unchanged: 0 })
  return outcomeQuery(chosen, await decideDrafts(db, { accountId, ids, decision: chosen, at: clock.now() }))
}

export const draftRoutes = [showOwn, decideOwn, openLink, showByLink, decideByLink]
