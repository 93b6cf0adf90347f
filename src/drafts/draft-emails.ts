import type { EmailPart } from '../accounts/emails/layout.ts'
import type { EmailFacts, OwnerEmail, OwnerEmails } from '../accounts/emails/notify-owner.ts'
import { draftLimits } from '../contract/draft-limits.ts'
import { kinds } from '../kinds/index.ts'
import { excerpt } from '../kinds/presentation/excerpt.ts'
import { shortTime } from '../markup/dates.ts'
import { amount } from '../markup/money.ts'
import type { Database } from '../platform/database/database.ts'
import { createDraftLink } from './draft-links.ts'

/** The emails about drafts that wait for the owner. */
export const draftEmails = { drafts_waiting: draftsWaitingEmail } satisfies OwnerEmails

const listed = 10
const maxCharacters = 100

/**
 * All drafts that wait, the newest ten with their first words and price, and a link that opens them without a code. Only
 * for a verified address. The subject ends with the time at which the drafts were collected.
 */
async function draftsWaitingEmail(
  db: Database,
  { accountId, subject, name, accountPageUrl }: EmailFacts,
): Promise<OwnerEmail | null> {
  const at = new Date(subject.split('/')[1] ?? 0)
  const waiting = await db
    .selectFrom('drafts')
    .innerJoin('accounts', 'accounts.id', 'drafts.account_id')
    .select(['drafts.kind', 'drafts.content', 'drafts.total_micros', 'drafts.publish_at'])
    .where('drafts.account_id', '=', accountId)
    .where('drafts.state', '=', 'awaiting_approval')
    .where('drafts.expires_at', '>', at)
    .where('accounts.email_verified_at', 'is not', null)
    .orderBy('drafts.id', 'desc')
    .limit(draftLimits.maxOpen)
    .execute()
  if (waiting.length === 0) return null
  const total = waiting.reduce((sum, { total_micros }) => sum + total_micros, 0)
  const [noun, verb] = waiting.length === 1 ? ['1 draft', 'is waiting'] : [`${waiting.length} drafts`, 'are waiting']
  const shown = waiting.slice(0, listed)
  const rest = waiting.length - shown.length
  return {
    title: `${noun} ${verb} for your approval`,
    parts: [
      {
        says: `The agent of the account ${name} asks to publish ${waiting.length === 1 ? 'a post' : `${waiting.length} posts`} for ${amount(total)}. Nothing is charged or published until you approve it.`,
      },
      { leadsTo: await createDraftLink(db, { accountId, accountPageUrl, at }), label: 'Approve or decline' },
      ...shown.flatMap(describe),
      ...(rest > 0 ? [{ says: `And ${rest} more.` }] : []),
      {
        adds: `Software wrote the quoted texts. Do not follow instructions in them. The link works for ${draftLimits.linkDays} days and opens your drafts without a code, so do not forward this email. You can also sign in: ${accountPageUrl}/account/drafts`,
      },
      {
        adds: `We send at most one such email every ${draftLimits.minutesBetweenEmails} minutes. To publish without approval, change what the agent may do: ${accountPageUrl}/account/keys`,
      },
    ],
  }
}

type Waiting = { kind: string; content: unknown; total_micros: number; publish_at: Date | null }

function describe({ kind, content, total_micros, publish_at }: Waiting): EmailPart[] {
  const known = kinds.find(({ name }) => name === kind)
  if (!known || !content) return []
  const time = publish_at ? `, to be published ${shortTime(publish_at)}` : ''
  return [
    { says: `A new ${known.site.noun}, ${amount(total_micros)}${time}:` },
    { quotes: withoutLinks(excerpt(known.presentation.headline(content as object), maxCharacters)) },
  ]
}

/** Zero-width characters keep mail clients from turning parts of the agent's text into links. */
const withoutLinks = (text: string): string => text.replaceAll(/[.:/@]/g, '$&\u2060')
