create type review_reason as enum ('unsure', 'language', 'rule', 'sensitive', 'similar', 'no_answer');

-- One row for each post or edit that went to a person. Why and when never change.
create table reviews (
  post_id post_id not null references posts,
  edit smallint not null default 0,           -- 0: the post itself
  account_id account_id not null,
  reason review_reason not null,
  opened_at timestamptz not null,
  waits boolean not null default true,        -- kept by triggers: false once the post or edit is no longer in review
  fee_returned_at timestamptz,
  decided_at timestamptz,                     -- when a person decided; null when the author deleted it first
  outcome decision_outcome check (outcome in ('publish', 'low_quality', 'abuse')),
  told_waiting_at timestamptz,                -- when the owner was mailed, or could have been if they wanted mail
  told_decided_at timestamptz,
  primary key (post_id, edit),
  constraint decided_with_an_outcome check ((decided_at is null) = (outcome is null))
);
create index reviews_waiting on reviews (opened_at) where waits;
create index reviews_waiting_by_account on reviews (account_id, opened_at) where waits;
create index reviews_with_fee on reviews (opened_at) where waits and fee_returned_at is null;
create index reviews_decided on reviews (decided_at) include (opened_at) where decided_at is not null;
create index reviews_to_tell on reviews (account_id, opened_at) where waits and told_waiting_at is null;
create index reviews_decided_to_tell on reviews (account_id, decided_at)
  where decided_at is not null and told_waiting_at is not null and told_decided_at is null;
create index reviews_told_decided on reviews (account_id, told_decided_at) where told_decided_at is not null;
comment on table reviews is 'Posts and edits that wait or waited for a person. No user text.';

create function end_review() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_table_name = 'posts' then
    update reviews set waits = false where post_id = new.id and edit = 0;
  else
    update reviews set waits = false where post_id = new.post_id and edit = new.number;
  end if;
  return null;
end $$;
create trigger end_review after update of status on posts
  for each row when (old.status = 'review' and new.status <> 'review') execute function end_review();
create trigger end_review after update of status on post_edits
  for each row when (old.status = 'review' and new.status <> 'review') execute function end_review();

-- What waits already, and what people decided before.
insert into reviews (post_id, edit, account_id, reason, opened_at, waits, decided_at, outcome)
select asked.post_id, asked.edit, posts.account_id,
  (case
    when asked.category in ('sexual', 'sexual_minors', 'self_harm') then 'sensitive'
    when asked.actor like 'system:%' or asked.scores ->> 'row' = 'judge_failed' then 'no_answer'
    when asked.scores ->> 'row' in ('rule_hit', 'rule_doubts') then 'rule'
    when asked.scores ->> 'judged' = 'false' then 'language'
    else 'unsure'
  end)::review_reason,
  asked.decided_at,
  case asked.edit when 0 then posts.status = 'review' else coalesce(edits.status = 'review', false) end,
  said.decided_at, said.outcome
from moderation_decisions asked join posts on posts.id = asked.post_id
left join post_edits edits on edits.post_id = asked.post_id and edits.number = asked.edit
left join lateral (
  select decided_at, outcome from moderation_decisions later
  where later.post_id = asked.post_id and later.edit = asked.edit and later.id > asked.id
    and not later.automated and later.outcome in ('publish', 'low_quality', 'abuse')
  order by later.id limit 1
) said on true
where asked.outcome = 'review'
on conflict do nothing;
insert into reviews (post_id, account_id, reason, opened_at)
select id, account_id, 'unsure', created_at from posts where status = 'review'
on conflict do nothing;
insert into reviews (post_id, edit, account_id, reason, opened_at)
select edits.post_id, edits.number, posts.account_id, 'unsure', edits.submitted_at
from post_edits edits join posts on posts.id = edits.post_id where edits.status = 'review'
on conflict do nothing;

-- One row: how fast people decide, measured every minute, and what the worker's settings say.
create table review_pace (
  only_row boolean primary key default true check (only_row),
  expected_seconds integer not null,          -- said while too few were decided to measure
  fee_return_seconds integer not null,
  usual_seconds double precision,             -- four of five were decided within it; null until measured
  decided_per_hour double precision
);
insert into review_pace (expected_seconds, fee_return_seconds) values (86400, 259200);

-- When an account's owner was last mailed about waiting and about decided posts: at most once a day each.
create table review_mails (
  account_id account_id not null,
  about text not null check (about in ('waiting', 'decided')),
  sent_at timestamptz not null,
  primary key (account_id, about)
);
alter table accounts add column mails_about_reviews boolean not null default true;
grant update (mails_about_reviews) on accounts to broadside_owner_page;

grant select on reviews, review_pace
  to broadside_api, broadside_worker, broadside_operator, broadside_owner_page, broadside_reader;
grant insert (post_id, edit, account_id, reason, opened_at) on reviews to broadside_worker;
grant update (decided_at, outcome) on reviews to broadside_worker, broadside_operator;
grant update (fee_returned_at, told_waiting_at, told_decided_at) on reviews to broadside_worker;
grant update on review_pace to broadside_worker;
grant select, insert, update on review_mails to broadside_worker;

-- As before, and a returned fee is bounded by the charge together with refunds.
alter table ledger_transfers drop constraint transfer_goes_its_way;
alter table ledger_transfers add constraint transfer_goes_its_way check ((reason, from_book, to_book) in (
  ('post', 'prepaid', 'revenue'),
  ('edit', 'prepaid', 'revenue'),
  ('search', 'prepaid', 'revenue'),
  ('refund', 'refunds', 'prepaid'),
  ('review_return', 'refunds', 'prepaid'),
  ('penalty', 'prepaid', 'penalties'),
  ('penalty', 'owed', 'penalties'),
  ('penalty_return', 'penalties', 'owed'),
  ('penalty_return', 'penalties', 'prepaid'),
  ('settlement', 'prepaid', 'owed'),
  ('top_up', 'provider_clearing', 'prepaid'),
  ('payout', 'prepaid', 'provider_clearing'),
  ('payout', 'owed', 'provider_clearing'),
  ('payout_return', 'provider_clearing', 'owed'),
  ('payout_return', 'provider_clearing', 'prepaid'),
  ('dispute', 'prepaid', 'disputed'),
  ('dispute', 'owed', 'disputed'),
  ('dispute_return', 'disputed', 'owed'),
  ('dispute_return', 'disputed', 'prepaid'),
  ('dispute_loss', 'disputed', 'provider_clearing'),
  ('dispute_loss', 'provider_clearing', 'disputed'),
  ('credit', 'operator_credit', 'prepaid'),
  ('debit', 'prepaid', 'operator_credit')
));
create or replace function keep_balance() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  debt bigint;
  cap bigint;
  went ledger_reason[];
  comes ledger_reason[];
begin
  update balances set
    prepaid_micros = prepaid_micros
      + case new.to_book when 'prepaid' then new.amount_micros else 0 end
      - case new.from_book when 'prepaid' then new.amount_micros else 0 end,
    owed_micros = owed_micros
      + case new.from_book when 'owed' then new.amount_micros else 0 end
      - case new.to_book when 'owed' then new.amount_micros else 0 end
  where account_id = new.account_id
  returning owed_micros into strict debt;
  if new.reason in ('post', 'edit', 'search') then
    if debt > 0 then
      raise exception 'the account owes money' using errcode = 'check_violation', constraint = 'debt_comes_first';
    end if;
    if new.key_id is not null then
      -- The balance's row is held from here to the commit, so no other charge of this account is counted or missed.
      select daily_cap_micros into cap from api_keys where id = new.key_id;
      if cap is not null and cap < (
        select sum(amount_micros) from ledger_transfers
        where key_id = new.key_id and entered_at >= date_trunc('day', new.entered_at at time zone 'UTC') at time zone 'UTC'
      ) then
        raise exception 'the key has spent its day''s cap' using errcode = 'check_violation', constraint = 'key_keeps_within_cap';
      end if;
    end if;
    return null;
  end if;
  case new.reason
    when 'refund', 'review_return' then
      went := array['post', 'edit', 'search']; comes := array['refund', 'review_return'];
    when 'penalty_return' then went := array['penalty']; comes := array['penalty_return'];
    when 'payout_return' then went := array['payout']; comes := array['payout_return'];
    when 'dispute_return' then went := array['dispute']; comes := array['dispute_return'];
    else return null;
  end case;
  if 0 > (
    select sum(case when reason = any (went) then amount_micros else -amount_micros end) from ledger_transfers
    where subject = new.subject and account_id = new.account_id and reason = any (went || comes)
  ) then
    raise exception 'more comes back than went' using errcode = 'check_violation', constraint = case new.reason
      when 'refund' then 'refund_within_charge'
      when 'review_return' then 'refund_within_charge'
      when 'penalty_return' then 'return_within_penalty'
      when 'payout_return' then 'return_within_payout'
      else 'return_within_dispute' end;
  end if;
  return null;
end $$;

-- Only of what still waits, and once.
create policy worker_returns_fees on ledger_transfers for insert to broadside_worker with check (
  reason = 'review_return' and exists (
    select from reviews where waits and fee_returned_at is null and reviews.account_id = ledger_transfers.account_id
      and reviews.post_id = split_part(subject, '/', 1)
      and reviews.edit = coalesce(nullif(split_part(subject, '/', 2), '')::smallint, 0)
  )
);
