-- A random share of what the model decided alone, for people to look at: how right it is, and what it must still learn.
create table audit_samples (
  decision_id bigint primary key references moderation_decisions,
  post_id post_id not null references posts,
  edit smallint not null,                         -- 0: the post itself
  outcome decision_outcome not null check (outcome in ('publish', 'low_quality', 'abuse')),
  share numeric not null check (share > 0 and share <= 1),   -- of decisions like this one so many are drawn
  sampled_at timestamptz not null
);
comment on table audit_samples is 'Append-only.';
create index audit_samples_by_time on audit_samples (sampled_at);
create index audit_samples_by_post on audit_samples (post_id);

alter table desk_decisions drop constraint a_verdict_of_its_kind;
alter table desk_decisions add constraint a_verdict_of_its_kind check ((case_kind, verdict) in (
  ('review', 'publish'), ('review', 'reject'), ('review', 'low_quality'),
  ('report', 'keep'), ('report', 'remove'),
  ('appeal', 'uphold'), ('appeal', 'dismiss'),
  ('check', 'confirm'), ('check', 'overturn'),
  ('audit', 'keep'), ('audit', 'remove'), ('audit', 'confirm'), ('audit', 'overturn')
));

-- The worker draws, and only from what was decided without a person.
alter table audit_samples enable row level security;
create policy everyone_reads on audit_samples for select using (true);
create policy worker_draws on audit_samples for insert to broadside_worker with check (
  exists (
    select from moderation_decisions made where made.id = decision_id and made.automated
      and made.post_id = audit_samples.post_id and made.edit = audit_samples.edit and made.outcome = audit_samples.outcome
  )
);
grant select on audit_samples to broadside_worker, broadside_desk, broadside_operator, broadside_reader;
grant insert on audit_samples to broadside_worker;
