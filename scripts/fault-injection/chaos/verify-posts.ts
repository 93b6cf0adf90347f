import type { Client } from 'pg'
import { localModelName } from '../../../model/server/local/local-model.ts'
import { message } from '../../../src/kinds/message/kind.ts'
import { asAdministrator } from '../../../src/platform/database/database-setup.ts'
import { runOperator } from '../../../tooling/environment/processes.ts'
import type { Environment } from './environment.ts'
import type { Acknowledged, Traffic } from './traffic.ts'

export const priceMicros = message.priceMicros

type Guarantee = { says: string; breaches: string }

/** Each query finds violations of the guarantee; `submitted` contains the acknowledged posts. */
const guarantees: readonly Guarantee[] = [
  {
    says: 'every acknowledged post exists exactly as submitted',
    breaches: `
      select submitted.id from submitted left join posts on posts.id = submitted.id
      where (posts.account_id, posts.content->>'text') is distinct from (submitted.account_id, submitted.text)`,
  },
  {
    says: 'no two submissions got the same post',
    breaches: 'select id from submitted group by id having count(*) > 1',
  },
  { says: 'every post was submitted by someone', breaches: 'select id from posts except select id from submitted' },
  {
    says: 'every post is charged exactly once, with its price, to its author',
    breaches: `
      select submitted.id from submitted left join ledger_transfers charge
        on charge.subject = submitted.id and charge.account_id = submitted.account_id and charge.reason = 'post'
        and charge.from_book = 'prepaid' and charge.to_book = 'revenue' and charge.amount_micros = ${priceMicros}
      group by submitted.id having count(charge.id) <> 1`,
  },
  {
    says: 'money moved only for these posts and the opening credits',
    breaches: `
      select id from ledger_transfers
      where reason <> 'credit' and not (reason = 'post' and subject in (select id from submitted))`,
  },
  {
    says: 'every post is decided exactly once',
    breaches: `
      select submitted.id from submitted left join moderation_decisions decision on decision.post_id = submitted.id
      group by submitted.id having count(decision.id) <> 1`,
  },
  {
    says: 'every published post was accepted by the real model',
    breaches: `
      select post_id from moderation_decisions
      where not coalesce(automated and edit = 0 and (
        outcome in ('publish', 'review') and actor = 'model:' || model and model like '${localModelName} + %'
        or outcome = 'review' and actor = 'system:model-gave-no-answer'), false)`,
  },
  {
    says: 'every post has the status that its decision implies',
    breaches: `
      select posts.id from posts left join moderation_decisions decision on decision.post_id = posts.id
      where posts.status::text is distinct from
        case decision.outcome when 'publish' then 'published' when 'review' then 'review' end`,
  },
  {
    says: 'every decision is announced by exactly one event',
    breaches: `
      select decision.post_id from moderation_decisions decision left join events
        on events.post_id = decision.post_id and events.at = decision.decided_at
        and events.type = case decision.outcome when 'publish' then 'post.published' else 'post.review' end
      group by decision.post_id, decision.id having count(events.id) <> 1
      union all
      select post_id from events group by post_id having count(*) <> 1`,
  },
  {
    says: 'the event numbers of an account have no gaps',
    breaches: `
      select account_id from events group by account_id
      having min(position) <> 1 or max(position) <> count(*) or count(distinct position) <> count(*)`,
  },
  {
    says: 'every balance equals the opening credit minus the price of the posts',
    breaches: `
      select account_id from balances
      where owed_micros <> 0 or prepaid_micros <> (
        select coalesce(sum(amount_micros), 0) from ledger_transfers credit
        where credit.account_id = balances.account_id and credit.reason = 'credit'
      ) - ${priceMicros} * (select count(*) from submitted where submitted.account_id = balances.account_id)`,
  },
  {
    says: 'no job is waiting, running or failed',
    breaches: `select data->>'post_id' from pgboss.job_common where name in ('screen-post', 'moderate-post', 'moderate-long-post') and state <> 'completed'`,
  },
]

/** Every violated guarantee with its count and an example, and whether `ledger verify` passes. */
export async function inspect(environment: Environment, traffic: Traffic): Promise<string[]> {
  const broken = await asAdministrator(environment.database.adminUrl, async (admin) => {
    await listSubmitted(admin, traffic.acknowledged)
    const found: string[] = []
    for (const { says, breaches } of guarantees) {
      const { rows } = await admin.query({ text: breaches, rowMode: 'array' })
      if (rows.length > 0) found.push(`violated: ${says} (${rows.length} times, for example ${rows[0]})`)
    }
    return found
  })
  const verified = await runOperator(environment.settings, 'ledger', 'verify')
  if (verified.code !== 0) broken.push(`ledger verify failed: ${verified.stderr.trim()}`)
  const refusals = traffic.refused.map((reason) => `a post was never acknowledged: ${reason}`)
  return [...broken, ...new Set(refusals), ...environment.deaths()]
}

async function listSubmitted(admin: Client, posts: readonly Acknowledged[]): Promise<void> {
  await admin.query('create temporary table submitted (id text, account_id text, text text)')
  await admin.query('insert into submitted select * from unnest($1::text[], $2::text[], $3::text[])', [
    posts.map(({ id }) => id),
    posts.map(({ accountId }) => accountId),
    posts.map(({ text }) => text),
  ])
  await admin.query('create index on submitted (id)')
  await admin.query('analyze submitted')
}
