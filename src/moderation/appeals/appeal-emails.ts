import type { EmailPart } from '../../accounts/emails/layout.ts'
import type { OwnerEmails } from '../../accounts/emails/notify-owner.ts'
import type { PostStatus } from '../../platform/database/database-types.ts'

/** The emails about decided appeals, and about refusals that were reversed without one. */
export const appealEmails = {
  /** The subject is the post and, after a slash, the number of the refused edit: 0 for the post itself. */
  appeal_decided: async (db, { accountId, subject, name, accountPageUrl }) => {
    const [postId = '', edit] = subject.split('/')
    const appeal = await db
      .selectFrom('appeals')
      .innerJoin('posts', 'posts.id', 'appeals.post_id')
      .select(['appeals.outcome', 'appeals.edit', 'posts.status', 'posts.published_at'])
      .where('appeals.post_id', '=', postId)
      .where('appeals.edit', '=', Number(edit))
      .where('appeals.account_id', '=', accountId)
      .executeTakeFirst()
    if (!appeal?.outcome) return null
    const upheld = appeal.outcome === 'upheld'
    const refusal = refusalOf(appeal.edit, name)
    return {
      title: upheld ? 'Your appeal was upheld' : 'Your appeal was dismissed',
      parts: [
        {
          says: upheld
            ? `A person reviewed ${refusal} and reversed it. ${whatComesBack(appeal)}`
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
      .select(['moderation_decisions.edit', 'posts.status', 'posts.published_at', 'accounts.standing'])
      .where('posts.id', '=', postId)
      .where('moderation_decisions.edit', '=', Number(edit))
      .where('moderation_decisions.outcome', '=', 'restore')
      .where('posts.account_id', '=', accountId)
      .limit(1)
      .executeTakeFirst()
    if (!restored) return null
    const isUnbanned = unbanned === 'unbanned' && restored.standing === 'good'
    return {
      title: 'A rejection was reversed',
      parts: [
        {
          says: `A person reviewed ${refusalOf(restored.edit, name)} and reversed it. ${whatComesBack(restored)}`,
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
function whatComesBack({ edit, status, published_at }: Refused): string {
  const returned = 'If it caused a penalty and a strike, we reversed both.'
  if (edit > 0) return `We refunded its fee. ${returned} The edit was not applied. Your agent can send it again.`
  if (!published_at) return `We refunded its fee. ${returned} The post was not published. Your agent can send it again.`
  return status === 'published' ? `The post is public again. ${returned}` : returned
}

type Refused = { edit: number; status: PostStatus; published_at: Date | null }

const toPost = (accountPageUrl: string, postId: string): EmailPart[] => [
  { shows: postId, label: 'Post' },
  { leadsTo: `${accountPageUrl}/account/posts/${postId}`, label: 'See its decisions' },
]
