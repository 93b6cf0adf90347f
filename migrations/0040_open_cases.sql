-- The desk's queue as a table, so that a page of it costs a page, however many cases wait.

-- src/policy/category.ts has these levels too, and test/desk/queue.test.ts compares the two. A migration that changes them
-- must also update open_cases.harm.
create function harm_of(categories text[]) returns smallint language sql immutable as $$
  select coalesce(max(case category
    when 'sexual_minors' then 3 when 'violence_threats' then 3 when 'self_harm' then 3
    when 'hate_harassment' then 2 when 'illegal_goods' then 2 when 'scam_fraud' then 2
    when 'malware_phishing' then 2 when 'personal_data' then 2 when 'impersonation' then 2
    when 'prompt_injection' then 1 when 'sexual' then 1 when 'spam' then 1
    when 'low_quality' then 0
  end), 1)::smallint from unnest(categories) category
$$;

-- The finding of the first person who reviewed a sampled decision. src/moderation/statistics/count-span.ts says what counts.
create function first_look(decision bigint, sampled post_id, its_edit smallint, made decision_outcome, drawn_at timestamptz)
returns table (decided_at timestamptz, wrong boolean) language sql stable as $$
  select looked.decided_at, looked.wrong from (
    select desk.decided_at, desk.verdict in ('remove', 'overturn') as wrong from desk_decisions desk
    where desk.post_id = sampled and desk.decided_at >= drawn_at
      and case made when 'publish' then desk.verdict in ('keep', 'remove')
        else desk.edit = its_edit and desk.verdict in ('confirm', 'overturn') end
    union all
    select appeals.decided_at, appeals.outcome = 'upheld' from appeals
    where made <> 'publish' and appeals.post_id = sampled and appeals.edit = its_edit and appeals.outcome is not null
    union all
    select later.decided_at, true from moderation_decisions later
    where later.post_id = sampled and later.id > decision and later.actor like 'operator:%'
      and case made when 'publish' then later.outcome = 'remove' else later.edit = its_edit and later.outcome = 'restore' end
  ) looked
  where made <> 'publish' or not exists (
    select from moderation_decisions newer where newer.post_id = sampled and newer.id > decision
      and newer.outcome = 'publish' and newer.decided_at <= looked.decided_at
  )
  order by looked.decided_at limit 1
$$;

-- What a waiting case is. Leaves out deleted posts, decided cases, and for closed accounts everything except public posts.
-- `since` is the time that its age counts from. It differs from opened_at for the appeal of an automated penalty, which
-- keeps the deadline that it had as a check.
create view case_definition with (security_invoker = true) as
select found.*, harm_of(found.categories) as harm from (
  select 'review:' || posts.id || ':0' as case_key, 'review' as kind, posts.id as post_id, 0::smallint as edit, posts.account_id,
    posts.kind as site, coalesce(asked.decided_at, posts.created_at) as opened_at,
    coalesce(asked.decided_at, posts.created_at) as since, false as has_deadline,
    array_remove(array[asked.category, asked.scores->'judge'->>'category'], null) as categories, 0 as reports, '' as version,
    null as audited
  from posts join accounts on accounts.id = posts.account_id
  left join lateral (
    select decided_at, category, scores from moderation_decisions
    where post_id = posts.id and edit = 0 and outcome = 'review' order by id desc limit 1
  ) asked on true
  where posts.status = 'review' and accounts.standing <> 'closed'
  union all
  select 'review:' || edits.post_id || ':' || edits.number, 'review', posts.id, edits.number, posts.account_id, posts.kind,
    coalesce(asked.decided_at, edits.submitted_at), coalesce(asked.decided_at, edits.submitted_at), false,
    array_remove(array[asked.category, asked.scores->'judge'->>'category'], null), 0, '', null
  from post_edits edits join posts on posts.id = edits.post_id join accounts on accounts.id = posts.account_id
  left join lateral (
    select decided_at, category, scores from moderation_decisions
    where post_id = edits.post_id and edit = edits.number and outcome = 'review' order by id desc limit 1
  ) asked on true
  where edits.status = 'review' and posts.status = 'published' and accounts.standing <> 'closed'
  union all
  select 'report:' || cases.post_id || ':' || cases.number, 'report', posts.id, 0::smallint, posts.account_id, posts.kind,
    cases.opened_at, cases.opened_at, false, gathered.categories, gathered.reports,
    gathered.reports || ' ' || coalesce(extract(epoch from posts.edited_at), 0), null
  from report_cases cases join posts on posts.id = cases.post_id
  cross join lateral (
    select count(*)::int as reports, coalesce(array_agg(distinct category), '{}') as categories from reports
    where post_id = cases.post_id and case_number = cases.number
  ) gathered
  where cases.closed_at is null and posts.status = 'published'
  union all
  select 'appeal:' || appeals.post_id || ':' || appeals.edit, 'appeal', posts.id, appeals.edit, posts.account_id, posts.kind,
    appeals.submitted_at, case when check_of.waits then refusal.decided_at else appeals.submitted_at end, check_of.waits,
    array_remove(array[refusal.category], null), 0, '', null
  from appeals join posts on posts.id = appeals.post_id join accounts on accounts.id = posts.account_id
  left join lateral (
    select id, category, automated, outcome, decided_at from moderation_decisions
    where post_id = appeals.post_id and edit = appeals.edit and outcome in ('low_quality', 'abuse', 'remove')
    order by id desc limit 1
  ) refusal on true
  cross join lateral (
    select coalesce(refusal.automated and refusal.outcome = 'abuse', false) and not exists (
      select from desk_decisions where case_key = 'check:' || refusal.id
    ) as waits
  ) check_of
  where appeals.outcome is null and posts.status <> 'deleted' and accounts.standing <> 'closed'
  union all
  select 'check:' || made.id, 'check', posts.id, made.edit, posts.account_id, posts.kind,
    made.decided_at, made.decided_at, true, array_remove(array[made.category], null), 0, '', null
  from moderation_decisions made join posts on posts.id = made.post_id join accounts on accounts.id = posts.account_id
  where made.automated and made.outcome = 'abuse' and posts.status <> 'deleted' and accounts.standing <> 'closed'
    -- The appeal replaces the check.
    and not exists (select from appeals where post_id = made.post_id and edit = made.edit)
    and not exists (
      select from moderation_decisions later
      where later.post_id = made.post_id and later.edit = made.edit and later.outcome = 'restore' and later.id > made.id
    )
  union all
  select 'audit:' || sample.decision_id, 'audit', posts.id, sample.edit, posts.account_id, posts.kind,
    sample.sampled_at, sample.sampled_at, false, array_remove(array[made.category], null), 0, '',
    case sample.outcome when 'publish' then 'published' else 'rejected' end
  from audit_samples sample join moderation_decisions made on made.id = sample.decision_id
  join posts on posts.id = sample.post_id join accounts on accounts.id = posts.account_id
  where case sample.outcome
      when 'publish' then posts.status = 'published' and coalesce(posts.edited_at <= sample.sampled_at, true)
      -- Automated penalties are already checks, and appealed decisions are already appeals.
      when 'low_quality' then posts.status <> 'deleted' and accounts.standing <> 'closed' and not exists (
        select from appeals where post_id = sample.post_id and edit = sample.edit
      )
      else false end
    and not exists (
      select from first_look(sample.decision_id, sample.post_id, sample.edit, sample.outcome, sample.sampled_at)
    )
) found
where not exists (select from desk_decisions decided where decided.case_key = found.case_key);

create table open_cases (
  case_key text collate "C" primary key,
  kind text not null,
  post_id post_id not null,
  edit smallint not null,
  account_id account_id not null,
  site text not null,
  opened_at timestamptz not null,
  since timestamptz not null,
  has_deadline boolean not null,
  categories text[] not null,
  harm smallint not null,
  reports integer not null,
  version text not null,
  audited text
);
comment on table open_cases is 'The rows of case_definition. Kept by triggers, which call refresh_cases.';
create index open_cases_in_order on open_cases (kind, has_deadline, harm, since, case_key);
create index open_cases_by_age on open_cases (kind, opened_at);
create index open_cases_by_deadline on open_cases (kind, since) where has_deadline;
create index open_cases_by_post on open_cases (post_id);
create index open_cases_by_account on open_cases (account_id);

-- Makes the stored cases of one post what they are by definition.
create function refresh_cases(changed post_id) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Of two transactions that change the cases of one post, the second sees what the first did.
  perform from posts where id = changed for no key update;
  with defined as materialized (select * from case_definition where post_id = changed),
  gone as (
    delete from open_cases where post_id = changed and case_key not in (select case_key from defined)
  )
  insert into open_cases as stored (
    case_key, kind, post_id, edit, account_id, site, opened_at, since, has_deadline, categories, harm, reports, version, audited
  )
  select case_key, kind, post_id, edit, account_id, site, opened_at, since, has_deadline, categories, harm, reports, version, audited
  from defined
  on conflict (case_key) do update set
    opened_at = excluded.opened_at, since = excluded.since, has_deadline = excluded.has_deadline,
    categories = excluded.categories, harm = excluded.harm, reports = excluded.reports, version = excluded.version
  where (stored.opened_at, stored.since, stored.has_deadline, stored.categories, stored.harm, stored.reports, stored.version)
    is distinct from (excluded.opened_at, excluded.since, excluded.has_deadline, excluded.categories, excluded.harm,
      excluded.reports, excluded.version);
end $$;

create function refresh_changed_cases() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'posts' then
    perform refresh_cases(new.id);
  elsif tg_op = 'DELETE' then
    perform refresh_cases(old.post_id);
  else
    perform refresh_cases(new.post_id);
  end if;
  return null;
end $$;
revoke execute on function refresh_cases, refresh_changed_cases from public;

-- At the commit: a post, its decision and its sample are written one after another, and each waits for no one else then.
create constraint trigger refresh_new_cases after insert on posts deferrable initially deferred
  for each row when (new.status = 'review') execute function refresh_changed_cases();
create constraint trigger refresh_cases after update of status, edited_at on posts deferrable initially deferred
  for each row when (old.status <> new.status or old.edited_at is distinct from new.edited_at)
  execute function refresh_changed_cases();
create constraint trigger refresh_cases after insert or delete or update of status on post_edits deferrable initially deferred
  for each row execute function refresh_changed_cases();
create constraint trigger refresh_cases after insert or delete or update of opened_at, closed_at on report_cases
  deferrable initially deferred for each row execute function refresh_changed_cases();
create constraint trigger refresh_cases after insert or delete or update of category, case_number on reports
  deferrable initially deferred for each row execute function refresh_changed_cases();
create constraint trigger refresh_cases after insert or delete or update of submitted_at, outcome on appeals
  deferrable initially deferred for each row execute function refresh_changed_cases();
create constraint trigger refresh_cases
  after insert or delete or update of outcome, category, scores, automated, actor, decided_at on moderation_decisions
  deferrable initially deferred for each row execute function refresh_changed_cases();
create constraint trigger refresh_cases after insert or delete or update of outcome, sampled_at on audit_samples
  deferrable initially deferred for each row execute function refresh_changed_cases();
create constraint trigger refresh_cases after insert or delete or update of verdict, decided_at on desk_decisions
  deferrable initially deferred for each row execute function refresh_changed_cases();

-- In one statement, because an account may have many cases. Reports and audits of public posts stay.
create function close_cases() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from open_cases where account_id = new.id and kind <> 'report' and audited is distinct from 'published';
  return null;
end $$;
create trigger close_cases after update of standing on accounts
  for each row when (new.standing = 'closed' and old.standing <> 'closed') execute function close_cases();

-- Programs of the previous version may still run, but creating the triggers has locked their tables against changes.
insert into open_cases (
  case_key, kind, post_id, edit, account_id, site, opened_at, since, has_deadline, categories, harm, reports, version, audited
)
select case_key, kind, post_id, edit, account_id, site, opened_at, since, has_deadline, categories, harm, reports, version, audited
from case_definition;
analyze open_cases;

grant select on case_definition to broadside_desk;
grant execute on function refresh_cases to broadside_desk;
grant select on open_cases to broadside_desk, broadside_worker;
grant delete on open_cases to broadside_worker;
