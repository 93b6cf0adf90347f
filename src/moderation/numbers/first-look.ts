import { sql } from 'kysely'

/**
 * What the first person found who looked at a sampled decision: `decided_at` and whether it was `wrong`. It need not
 * have been an audit: a report, a check, an appeal or the operator may have come first, and what they found counts, or
 * every error that somebody complained of would be missing. The statement around it calls the row of audit_samples
 * `sample`. When the text of a publication was replaced, nobody looks at it any more.
 */
export const firstLook = sql`
  select looked.decided_at, looked.wrong from (
    select decided_at, verdict in ('remove', 'overturn') as wrong from desk_decisions
    where post_id = sample.post_id and decided_at >= sample.sampled_at
      and case sample.outcome when 'publish' then verdict in ('keep', 'remove')
        else edit = sample.edit and verdict in ('confirm', 'overturn') end
    union all
    select decided_at, outcome = 'upheld' from appeals
    where sample.outcome <> 'publish' and post_id = sample.post_id and edit = sample.edit and outcome is not null
    union all
    select decided_at, true from moderation_decisions
    where post_id = sample.post_id and id > sample.decision_id and actor like 'operator:%'
      and case sample.outcome when 'publish' then outcome = 'remove' else edit = sample.edit and outcome = 'restore' end
  ) looked
  where sample.outcome <> 'publish' or not exists (
    select from moderation_decisions newer where newer.post_id = sample.post_id and newer.id > sample.decision_id
      and newer.outcome = 'publish' and newer.decided_at <= looked.decided_at
  )
  order by looked.decided_at limit 1`
