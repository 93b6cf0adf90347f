-- works with: 0040

-- The public halves of the keys that sign public posts. They stay: old signatures must remain verifiable.
create table signing_keys (
  key_id text primary key check (key_id ~ '^[A-Za-z0-9_-]{43}$'),
  public_key bytea not null check (length(public_key) = 32),
  valid_from timestamptz not null,
  valid_until timestamptz check (valid_until > valid_from)
);
comment on table signing_keys is 'Public keys for signatures of posts. Published at /.well-known/broadside-keys.json.';

-- What the transparency log has to take up, in any order. A row that was taken up has its index, so that a removal that
-- commits later can name it.
create table log_queue (
  id bigint generated always as identity primary key,
  type text not null check (type in ('post', 'edit', 'decision', 'removed')),
  commitment bytea check (length(commitment) = 32),
  removes_queued bigint,      -- the row of this table whose entry is removed
  removes_index bigint,       -- the same by its index, if that was known
  entry_index bigint,
  taken_up_at timestamptz,
  constraint commits_or_removes check (
    (type = 'removed') = (commitment is null) and (type = 'removed') = (num_nonnulls(removes_queued, removes_index) = 1))
) with (autovacuum_vacuum_scale_factor = 0.02);
comment on table log_queue is 'Entries that wait for the transparency log, and those that it took up within a day. Hashes only.';
create index log_queue_waiting on log_queue (id) where entry_index is null;
create index log_queue_by_age on log_queue (taken_up_at) where taken_up_at is not null;

-- The signature and the log entry of the current version of each public post. The salt opens the commitment in the log:
-- it is deleted with the post, or replaced with the version.
create table post_proofs (
  post_id post_id primary key references posts (id) on delete cascade,
  key_id text not null references signing_keys (key_id),
  signed_at timestamptz not null,
  signature bytea not null check (length(signature) = 64),
  names_author boolean not null,      -- false once the account is closed
  salt bytea not null check (length(salt) = 32),
  queue_id bigint not null unique,
  entry_index bigint
);
create index post_proofs_by_entry on post_proofs (entry_index) where entry_index is not null;
comment on table post_proofs is 'The signature of each public post, and the salt of its entry in the transparency log.';

-- The same for rejections and removals. Their authors can open the commitment.
create table decision_proofs (
  decision_id bigint primary key references moderation_decisions (id) on delete cascade,
  post_id post_id not null,
  salt bytea not null check (length(salt) = 32),
  origin text not null,      -- the log that has the entry: it may be closed since
  queue_id bigint not null unique,
  entry_index bigint
);
comment on table decision_proofs is 'The salt of each logged decision. Deleted with its post and its account.';
create index decision_proofs_by_post on decision_proofs (post_id);

create table log_head (
  is_only boolean primary key default true check (is_only),
  number smallint not null default 1 check (number > 0),      -- counts the logs of this database: one is open
  origin text not null check (origin ~ '^[^\s+]{1,200}$'),
  verifier_key text not null,
  first_queue_id bigint not null default 0,      -- rows of log_queue and post_proofs below it belong to closed logs
  size bigint not null default 0 check (size >= 0),
  root bytea not null check (length(root) = 32),
  edge bytea[] not null default '{}',        -- the roots of the complete subtrees, the largest first
  published_size bigint not null default 0 check (published_size between 0 and size),
  audit_position bigint not null default 0,
  audit_noted_at timestamptz,
  signed_through text not null default '',   -- posts up to this id were signed, or enqueued for it
  stopped_reason text check (stopped_reason in
    ('forked', 'files_differ', 'files_missing', 'witness_ahead', 'witness_refuses', 'unreadable')),
  stopped_at timestamptz,
  resumed_at timestamptz,
  -- The operator says that the published files are lost, and that the database has everything that they had.
  files_lost boolean not null default false,
  constraint stopped_as_a_whole check ((stopped_reason is null) = (stopped_at is null))
);
comment on table log_head is 'The state of the open transparency log. One row.';
create function current_log() returns smallint language sql stable as 'select number from log_head';

-- A log whose key is stolen or whose entries are lost is closed for good. Its files and rows stay.
create table closed_logs (
  number smallint primary key,
  origin text not null unique,
  verifier_key text not null,
  reason text not null check (reason in ('key_leaked', 'key_lost', 'entries_lost')),
  last_checkpoint text,      -- the last one that was published
  closed_at timestamptz not null
);
comment on table closed_logs is 'The transparency logs before the open one. Published at /.well-known/broadside-keys.json.';

-- The log itself: append-only.
create table log_entries (
  log smallint not null default current_log(),
  index bigint not null check (index >= 0),
  entry text not null check (length(entry) <= 200),
  primary key (log, index)
);
comment on table log_entries is 'The entries of the transparency log: salted hashes and public facts.';
-- The hash of each full tile: 256 hashes of the level below.
create table log_tile_hashes (
  log smallint not null default current_log(),
  level smallint not null check (level between 1 and 7),
  index bigint not null check (index >= 0),
  hash bytea not null check (length(hash) = 32),
  primary key (log, level, index)
);
comment on table log_tile_hashes is 'Hashes of full tiles of the transparency log.';
create table log_checkpoints (
  log smallint not null default current_log(),
  size bigint not null check (size > 0),
  note text not null check (length(note) <= 8000),
  -- Only published checkpoints have all their files, and only cosigned ones satisfy readers who require a witness.
  published boolean not null default false,
  cosigned boolean not null default false check (published or not cosigned),
  primary key (log, size)
);
comment on table log_checkpoints is 'Every checkpoint of the transparency log, signed, with the cosignatures of witnesses.';
-- The hash chain of the audit log can be tested by guessing its rows, so the log has a salted commitment to its head.
create table log_audit_heads (
  log smallint not null default current_log(),
  entry_index bigint not null,
  position bigint not null,
  hash bytea not null check (length(hash) = 32),
  salt bytea not null check (length(salt) = 32),
  primary key (log, entry_index)
);
comment on table log_audit_heads is 'The heads of the audit log that are in the transparency log, with the salts for an auditor.';
create table log_witnesses (
  name text primary key check (length(name) <= 200),
  verifier_key text not null,
  url text not null,
  size bigint not null default 0 check (size >= 0)
);
comment on table log_witnesses is 'The witnesses of the settings, and the size of the last checkpoint that each cosigned.';

-- Closes the open log and starts the next one, empty. Its entries of posts are queued when they are signed again.
create function start_new_log(new_origin text, new_key text, empty_root bytea, close_reason text, at timestamptz) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  lock table log_queue in exclusive mode;
  insert into closed_logs (number, origin, verifier_key, reason, last_checkpoint, closed_at)
    select number, origin, verifier_key, close_reason,
      (select note from log_checkpoints where log = number and published order by size desc limit 1), at
    from log_head;
  if exists (select from closed_logs where origin = new_origin) then
    raise exception 'the origin % names a closed log', new_origin;
  end if;
  delete from log_queue;
  delete from log_witnesses;
  update log_head set
    number = number + 1, origin = new_origin, verifier_key = new_key,
    first_queue_id = nextval(pg_get_serial_sequence('log_queue', 'id')),
    size = 0, root = empty_root, edge = '{}', published_size = 0,
    audit_position = 0, audit_noted_at = null, signed_through = '',
    stopped_reason = null, stopped_at = null, resumed_at = at, files_lost = false;
end $$;

create function refuse_log_change() returns trigger language plpgsql as $$
begin
  raise exception 'the transparency log is append-only';
end $$;
create trigger log_entries_stay before update or delete or truncate on log_entries
  for each statement execute function refuse_log_change();
create trigger log_tile_hashes_stay before update or delete or truncate on log_tile_hashes
  for each statement execute function refuse_log_change();

-- A post cannot go without its entry, whoever takes it down. Its salt goes with it, whatever status it had: the signature
-- of a post can commit after its removal.
create function note_post_gone() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  proof post_proofs;
begin
  delete from post_proofs where post_id = new.id returning * into proof;
  -- Nothing is appended to a closed log.
  if proof.queue_id >= (select first_queue_id from log_head) then
    insert into log_queue (type, removes_queued, removes_index) values (
      'removed',
      case when proof.entry_index is null then proof.queue_id end,
      proof.entry_index);
  end if;
  return null;
end $$;
create trigger note_post_gone after update of status on posts
  for each row when (new.status in ('removed', 'deleted'))
  execute function note_post_gone();

-- A changed post must not show the signature of its last version. Its next version is signed in the same transaction, or
-- by the job that writes its files.
create function drop_old_signature() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from post_proofs where post_id = new.id;
  return null;
end $$;
create trigger drop_old_signature after update of content, edited_at, visible_until on posts
  for each row when (
    new.status = 'published' and old.status = 'published'
    and (old.edited_at, old.content, old.visible_until) is distinct from (new.edited_at, new.content, new.visible_until))
  execute function drop_old_signature();

-- A deleted text takes the salts of its decisions with it.
create function drop_decision_salts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from decision_proofs where post_id = new.id;
  return null;
end $$;
create trigger drop_decision_salts after update of status on posts
  for each row when (new.status = 'deleted' and old.status <> 'deleted')
  execute function drop_decision_salts();

revoke execute on function note_post_gone, drop_old_signature, drop_decision_salts, start_new_log from public;
grant execute on function start_new_log to broadside_operator;

grant select, insert, update on signing_keys to broadside_worker;
grant select on signing_keys to broadside_api, broadside_owner_page, broadside_desk, broadside_operator, broadside_reader;
grant select (post_id, key_id, signed_at, signature, names_author) on post_proofs to broadside_api, broadside_owner_page, broadside_desk;
grant select, insert, update, delete on post_proofs to broadside_worker;
grant select, delete on post_proofs to broadside_operator;
-- Only the process that writes proofs needs their salts.
grant select (post_id, key_id, signed_at, signature, names_author, queue_id, entry_index) on post_proofs to broadside_reader;
grant select, insert, delete on decision_proofs to broadside_worker, broadside_operator;
grant update on decision_proofs to broadside_worker;
grant select on decision_proofs to broadside_api, broadside_owner_page, broadside_desk;
grant select (decision_id, post_id, origin, queue_id, entry_index) on decision_proofs to broadside_reader;
grant select, insert, update, delete on log_queue to broadside_worker, broadside_operator;
grant select on log_queue to broadside_reader;
-- The operator resumes the log, and never writes it.
grant select, insert on log_entries, log_tile_hashes, log_audit_heads to broadside_worker;
grant select, insert, update on log_checkpoints, log_head, log_witnesses to broadside_worker;
grant select, update (stopped_reason, stopped_at, resumed_at, files_lost) on log_head to broadside_operator;
grant delete on log_witnesses to broadside_worker;
grant select on log_entries, log_tile_hashes, log_checkpoints, log_head, log_audit_heads, log_witnesses to broadside_reader;
grant select on closed_logs to broadside_worker, broadside_operator, broadside_reader;
grant select on log_head to broadside_api;
