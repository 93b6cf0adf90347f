-- What was decided, by day and site, as it is published at /transparency/. A day is counted once, when it is over, and
-- nobody may change it afterwards: numbers that were published stay.
create table counted_days (
  day date primary key,                           -- in UTC
  counted_at timestamptz not null,
  -- The head of the audit log's chain at that moment; null when nothing had been written yet.
  audit_entries bigint check (audit_entries > 0),
  audit_hash text check (audit_hash ~ '^[0-9a-f]{64}$'),
  constraint whole_head check ((audit_entries is null) = (audit_hash is null))
);
comment on table counted_days is 'Append-only.';

create table moderation_days (
  day date not null references counted_days,
  kind text not null,
  counts jsonb not null check (jsonb_typeof(counts) = 'object'),  -- by name; policy/moderation-counts.ts says what each is
  primary key (kind, day)
);
comment on table moderation_days is 'Append-only. Numbers alone: no post, no account and no person is named.';

create index moderation_decisions_by_time on moderation_decisions (decided_at, id);
create index appeals_by_submission on appeals (submitted_at);
create index appeals_by_decision on appeals (decided_at) where decided_at is not null;

grant select, insert on counted_days, moderation_days to broadside_worker;
grant select on counted_days, moderation_days to broadside_reader;
