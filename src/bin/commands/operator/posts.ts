import { sql } from 'kysely'
import { dismissAppeal, openAppeals, upholdAppeal } from '../../../moderation/appeals/settle-appeal.ts'
import { decideReview, type PersonVerdict, removePost } from '../../../moderation/decisions/decide-by-person.ts'
import { connect, type Transaction } from '../../../platform/database/database.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { isAbusive, type PolicyCategoryId, policyCategoryIds } from '../../../policy/policy.ts'
import type { Sites } from '../../../posts/sites.ts'
import { closeCase } from '../../../reports/report-cases.ts'
import { type Command, CommandError, type CommandInput, printJson } from '../../command.ts'
import { actorName, asOperator, audited, findPost } from '../../operator.ts'
import { sitesFromSettings } from '../../sites.ts'

const showPost: Command = {
  usage: 'post show <post_id>',
  summary: 'Prints a post’s status, edits, decisions, jobs and charges, without its text.',
  details: 'Jobs that are done are not listed. docs/runbooks/posts.md says what each status means.',
  run: async ({ values, environment }) => {
    const { READER_DATABASE_URL: url } = readSettings(environment, ['READER_DATABASE_URL'])
    await using connection = connect(url, { poolMax: 1, applicationName: 'broadside operator' })
    const { db } = connection
    const post = await findPost(db, values['post_id'])
    const edits = db
      .selectFrom('post_edits')
      .select(['number', 'status', 'submitted_at', 'decided_at'])
      .where('post_id', '=', post.id)
      .orderBy('number')
    const decisions = db
      .selectFrom('moderation_decisions')
      .select(['edit', 'outcome', 'category', 'automated', 'actor', 'decided_at'])
      .where('post_id', '=', post.id)
      .orderBy('id')
    const jobs = await sql`
      select name, state, retry_count, created_on, output from pgboss.job
      where data->>'post_id' = ${post.id} order by created_on`.execute(db)
    const charges = db
      .selectFrom('ledger_transfers')
      .select(['subject', 'reason', 'amount_micros', 'entered_at'])
      .where('subject', '~', `^${post.id}(/|$)`)
      .orderBy('entered_at')
    printJson({
      ...post,
      ...{ edits: await edits.execute(), decisions: await decisions.execute() },
      ...{ jobs: jobs.rows, charges: await charges.execute() },
    })
  },
}

const decidePost: Command = {
  usage: 'decide <post_id> <verdict> [category]',
  summary: 'Decides on a waiting post: publish, low-quality, or reject with a policy category.',
  details:
    'Works on queued posts, posts in review and waiting edits. A rejection for abuse costs the author ten ' +
    'times the price and adds a strike; low-quality refunds the fee. Prints the post’s new status as JSON.',
  run: (input) => {
    const verdict = readVerdict(input)
    return act(input, { action: 'post.decide', details: { ...verdict } }, (tx, sites, person) =>
      decideReview(tx, sites, { ...verdict, ...person }),
    )
  },
}

const removePostCommand: Command = {
  usage: 'remove <post_id> <category>',
  summary:
    'Takes a published post down. For an abusive category, the author pays ten times the price and gets a strike.',
  details:
    'The author sees the category and its fixed reason, and can appeal. This closes the reports about the post. `restore` undoes everything except the closing of reports.',
  run: (input) => {
    const category = readCategory(input.values['category'])
    return act(input, { action: 'post.remove', details: { category } }, async (tx, sites, person) => {
      if (!(await removePost(tx, sites, { ...person, category }))) return false
      await closeCase(tx, person)
      return true
    })
  },
}

const restorePost: Command = {
  usage: 'restore <post_id>',
  summary: 'Reverses a removal or rejection, including the strike and the penalty.',
  details:
    'A removed post is published again. A rejected post stays rejected, and its whole fee is refunded so that it can ' +
    'be submitted again. This also upholds the post’s open appeal, if there is one. The owner is notified by email.',
  run: (input) => act(input, { action: 'post.restore', details: {} }, upholdAppeal),
}

const dismissPost: Command = {
  usage: 'dismiss <post_id>',
  summary: 'Dismisses the open appeal for a post, because the rejection or removal was correct.',
  details:
    'If there are appeals for the post and for its edits, the command dismisses the oldest one. Nothing else changes. The owner is notified by email. ' +
    'The person who made the decision cannot dismiss the appeal against it.',
  run: (input) =>
    act(input, { action: 'post.dismiss_appeal', details: {} }, async (tx, _sites, person) => {
      const [edit] = await openAppeals(tx, person.postId)
      if (edit === undefined) throw new CommandError('The post has no open appeal.')
      if (await dismissAppeal(tx, { ...person, edit })) return true
      throw new CommandError('You made this decision. Another person must decide the appeal.')
    }),
}

type Person = { postId: string; actor: string; at: Date }
type Work = (tx: Transaction, sites: Sites, person: Person) => Promise<boolean>
type Audit = { action: string; details: Record<string, string | number | null> }

/** Performs the action and writes an audit row, or reports that there is nothing to do. */
function act({ values, environment }: CommandInput, { action, details }: Audit, work: Work): Promise<void> {
  const sites = sitesFromSettings(readSettings(environment, ['SITES']).SITES)
  return asOperator(environment, async (db, at) => {
    const { id, account_id, status: before } = await findPost(db, values['post_id'])
    const audit = { action, accountId: account_id, at, details: { ...details, post_id: id } }
    await audited(db, audit, async (tx) => {
      if (await work(tx, sites, { postId: id, actor: actorName(), at })) return 'done'
      throw new CommandError(`The post is ${before}. There is nothing to ${action.split('.')[1]}.`)
    })
    const { status } = await db.selectFrom('posts').select('status').where('id', '=', id).executeTakeFirstOrThrow()
    printJson({ post_id: id, status })
  })
}

const verdicts: Record<string, (category: string | undefined) => PersonVerdict> = {
  publish: () => ({ outcome: 'publish', category: null }),
  'low-quality': () => ({ outcome: 'low_quality', category: 'low_quality' }),
  reject: (given) => {
    const category = readCategory(given)
    return { outcome: isAbusive(category) ? 'abuse' : 'low_quality', category }
  },
}

function readVerdict({ values }: CommandInput): PersonVerdict {
  const verdict = verdicts[String(values['verdict'])]
  if (!verdict) throw new CommandError(`The verdict must be one of: ${Object.keys(verdicts).join(', ')} <category>.`)
  if (values['category'] && values['verdict'] !== 'reject') throw new CommandError('Only `reject` takes a category.')
  return verdict(values['category'])
}

function readCategory(text: string | undefined): PolicyCategoryId {
  const category = policyCategoryIds.find((id) => id === text?.replaceAll('-', '_'))
  if (category) return category
  throw new CommandError(`The category must be one of: ${policyCategoryIds.join(', ')}.`)
}

export const commands: readonly Command[] = [showPost, decidePost, removePostCommand, restorePost, dismissPost]
