-- What an account's trust follows from. The rules are in src/accounts/trust/trust-rules.ts.

-- Refusals for abuse that stand: one row for each strike. A refusal that is taken back leaves this table.
create table abuse_refusals (
  post_id post_id not null references posts,
  edit smallint not null,                         -- 0: the post itself
  account_id account_id not null,
  refused_at timestamptz not null,
  primary key (post_id, edit)
);
create index abuse_refusals_by_account on abuse_refusals (account_id, refused_at);

-- Only low quality is not abuse.
insert into abuse_refusals (post_id, edit, account_id, refused_at)
  select last.post_id, last.edit, posts.account_id, last.decided_at
  from (
    select distinct on (post_id, edit) post_id, edit, outcome, category, decided_at
    from moderation_decisions where outcome <> 'review' order by post_id, edit, id desc
  ) last
  join posts on posts.id = last.post_id
  where last.outcome in ('abuse', 'remove') and last.category <> 'low_quality';

-- A strike is added and taken back together with its row here, so the two cannot differ.
create function add_strike(account account_id, to_ban integer, refused post_id, its_edit smallint, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform add_strike(account, to_ban);
  insert into abuse_refusals (post_id, edit, account_id, refused_at) values (refused, its_edit, account, at)
    on conflict (post_id, edit) do update set refused_at = excluded.refused_at;
end $$;
create function take_strike_back(account account_id, to_ban integer, refused post_id, its_edit smallint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform take_strike_back(account, to_ban);
  delete from abuse_refusals where post_id = refused and edit = its_edit and account_id = account;
end $$;
revoke execute on function add_strike(account_id, integer, post_id, smallint, timestamptz),
  take_strike_back(account_id, integer, post_id, smallint) from public;
revoke execute on function add_strike(account_id, integer), take_strike_back(account_id, integer)
  from broadside_worker, broadside_operator;
grant execute on function add_strike(account_id, integer, post_id, smallint, timestamptz),
  take_strike_back(account_id, integer, post_id, smallint) to broadside_worker, broadside_operator;

-- Accepted posts of an account by time: deleted and removed ones keep their date.
create index posts_accepted on posts (account_id, published_at) where published_at is not null;

-- What an account has published before: each kind, and each domain that it linked to. A domain is stored as a hash, so
-- no word of a deleted post stays.
create table published_before (
  account_id account_id not null,
  subject text collate "C" not null check (subject ~ '^(kind:[a-z]{2,20}|domain:[A-Za-z0-9_-]{43})$'),
  post_id post_id not null,                       -- the post that published it first; its removal deletes the row
  primary key (account_id, subject)
);
create index published_before_by_post on published_before (post_id);
create trigger refuse_closed_account before insert on published_before
  for each row execute function refuse_closed_account();

insert into published_before (account_id, subject, post_id)
  select distinct on (posts.account_id, posts.kind) posts.account_id, 'kind:' || posts.kind, posts.id
  from posts join accounts on accounts.id = posts.account_id and accounts.standing <> 'closed'
  where posts.published_at is not null and posts.status <> 'removed'
  order by posts.account_id, posts.kind, posts.id;

create function forget_published_before() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from published_before where account_id = new.id;
  return null;
end $$;
create trigger forget_published_before after update of standing on accounts
  for each row when (new.standing = 'closed' and old.standing <> 'closed') execute function forget_published_before();

-- Edits of an account by time, to count how many it sends in an hour.
alter table post_edits add column account_id account_id;
update post_edits set account_id = posts.account_id from posts where posts.id = post_edits.post_id;
create index post_edits_by_account on post_edits (account_id, submitted_at);
create function name_editor() returns trigger language plpgsql as $$
begin
  new.account_id := (select account_id from posts where id = new.post_id);
  return new;
end $$;
create trigger name_editor before insert on post_edits for each row execute function name_editor();

grant select on abuse_refusals to broadside_api, broadside_owner_page, broadside_worker, broadside_desk,
  broadside_operator, broadside_reader;
grant select, insert, delete on published_before to broadside_worker, broadside_operator;
grant select on published_before to broadside_desk, broadside_reader;
grant select (email_verified_at) on accounts to broadside_desk;
