import type { PostStatus } from '../../../generated/database-types.ts'
import type { EmailPart } from '../../accounts/emails/layout.ts'
import type { OwnerEmails } from '../../accounts/emails/notify-owner.ts'
import { strikesToBan } from '../../accounts/strikes.ts'
import { amount } from '../../markup/money.ts'
import type { Database } from '../../platform/database/database.ts'

/** The emails about decided appeals, and about refusals that were reversed without one. */
export const appealEmails = {
  /** The subject is the post and, after a slash, the number of the refused edit: 0 for the post itself. */
  appeal_decided: async (db, { accountId, subject, name, accountPageUrl }) => {
    const [postId = '', edit] = subject.split('/')
    const appeal = await db
      .selectFrom('appeals')
      .innerJoin('posts', 'posts.id', 'appeals.post_id')
      .select(['appeals.outcome', 'appeals.edit', 'appeals.decided_at', 'posts.status', 'posts.published_at'])
      .where('appeals.post_id', '=', postId)
      .where('appeals.edit', '=', Number(edit))
      .where('appeals.account_id', '=', accountId)
      .executeTakeFirst()
    if (!appeal?.outcome) return null
    const upheld = appeal.outcome === 'upheld'
    const returned = await readReturned(db, { accountId, postId, at: appeal.decided_at })
    const refusal = refusalOf(appeal.edit, name)
    return {
      title: upheld ? 'Your appeal was upheld' : 'Your appeal was dismissed',
      parts: [
        {
          says: upheld
            ? `A person reviewed ${refusal} and reversed it. ${whatComesBack(appeal, returned)}`
            : `A person who did not make the decision reviewed ${refusal} and confirmed it. Money and strikes do not change.`,
        },
        ...toPost(accountPageUrl, postId),
        ...(upheld
          ? []
          : [{ adds: 'You can appeal a post once, and each rejected edit once, so this decision is final.' }]),
      ],
    }
  },
  /** The subject is as for an appeal; a third part, `unbanned`, means that it ended a ban for strikes. */
  refusal_taken_back: async (db, { accountId, subject, name, accountPageUrl }) => {
    const [postId = '', edit, unbanned] = subject.split('/')
    const restored = await db
      .selectFrom('moderation_decisions')
      .innerJoin('posts', 'posts.id', 'moderation_decisions.post_id')
      .innerJoin('accounts', 'accounts.id', 'posts.account_id')
      .select([
        'moderation_decisions.edit',
        'moderation_decisions.decided_at',
        'posts.status',
        'posts.published_at',
        'accounts.standing',
      ])
      .where('posts.id', '=', postId)
      .where('moderation_decisions.edit', '=', Number(edit))
      .where('moderation_decisions.outcome', '=', 'restore')
      .where('posts.account_id', '=', accountId)
      .orderBy('moderation_decisions.id', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (!restored) return null
    const returned = await readReturned(db, { accountId, postId, at: restored.decided_at })
    const isUnbanned = unbanned === 'unbanned' && restored.standing === 'good'
    return {
      title: 'A rejection was reversed',
      parts: [
        {
          says: `A person reviewed ${refusalOf(restored.edit, name)} and reversed it. ${whatComesBack(restored, returned)}`,
        },
        ...(isUnbanned ? [{ says: 'The account is no longer banned. Its agent can post again.' }] : []),
        ...toPost(accountPageUrl, postId),
      ],
    }
  },
} satisfies OwnerEmails

const refusalOf = (edit: number, name: string) =>
  `the rejection of ${edit > 0 ? 'an edit of a post' : 'a post'} from account ${name}`

/** A removed post becomes public again; a post that was never public does not. */
function whatComesBack({ edit, status, published_at }: Refused, returned: Returned): string {
  const wasPublic = edit === 0 && published_at !== null
  const back = returned.micros > 0 ? returnedWords(returned) : `${wasPublic ? '' : 'We refunded its fee. '}${unknown}`
  if (edit > 0) return `${back} The edit was not applied. Your agent can send it again.`
  if (!wasPublic) return `${back} The post was not published. Your agent can send it again.`
  return status === 'published' ? `The post is public again. ${back}` : back
}

/** If the ledger has nothing for it, as when the fee was returned during the review. */
const unknown = 'If it caused a penalty and a strike, we reversed both.'

const returnedWords = ({ micros, penaltyMicros, strikes }: Returned): string =>
  penaltyMicros > 0
    ? `We refunded ${amount(micros)} and removed the strike. The account has ${strikes} of ${strikesToBan} strikes.`
    : `We refunded ${amount(micros)}.`

type Returned = Awaited<ReturnType<typeof readReturned>>

/** What the reversal at this time returned for the post or its edit, and the strikes that the account has now. */
async function readReturned(
  db: Database,
  { accountId, postId, at }: { accountId: string; postId: string; at: Date | null },
) {
  const transfers = await db
    .selectFrom('ledger_transfers')
    .select(['amount_micros', 'reason'])
    .where('account_id', '=', accountId)
    .where('subject', '>=', postId)
    // '0' is the character after '/', which precedes the number of an edit.
    .where('subject', '<', `${postId}0`)
    .where('reason', 'in', ['refund', 'penalty_return'])
    .where('entered_at', '=', at)
    .execute()
  const { strikes } = await db
    .selectFrom('accounts')
    .select('strikes')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const sumOf = (those: typeof transfers) => those.reduce((sum, { amount_micros }) => sum + amount_micros, 0)
  return {
    micros: sumOf(transfers),
    penaltyMicros: sumOf(transfers.filter(({ reason }) => reason === 'penalty_return')),
    strikes,
  }
}

type Refused = { edit: number; status: PostStatus; published_at: Date | null }

const toPost = (accountPageUrl: string, postId: string): EmailPart[] => [
  { shows: postId, label: 'Post' },
  { leadsTo: `${accountPageUrl}/account/posts/${postId}`, label: 'See its decisions' },
]
