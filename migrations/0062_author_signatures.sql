-- works with: 0040

-- The Ed25519 keys with which an author signs posts. A key belongs to one account, so that nobody can show another
-- author's signature as their own. See decisions/0098.
create table author_keys (
  key_id text collate "C" primary key check (key_id ~ '^[A-Za-z0-9_-]{43}$'),   -- RFC 7638
  account_id account_id not null,
  public_key bytea not null unique check (length(public_key) = 32),
  name text,
  created_at timestamptz not null
);
comment on table author_keys is 'The public keys with which authors sign their posts.';
create index author_keys_by_account on author_keys (account_id, created_at);
create trigger refuse_closed_account before insert on author_keys
  for each row execute function refuse_closed_account();
grant select on author_keys to broadside_api, broadside_worker, broadside_operator, broadside_reader;
grant insert, delete on author_keys to broadside_api;

-- A closed account has no keys.
create function forget_author_keys() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from author_keys where account_id = new.id;
  return null;
end $$;
revoke execute on function forget_author_keys from public;
create trigger forget_author_keys after update of standing on accounts
  for each row when (old.standing <> 'closed' and new.standing = 'closed') execute function forget_author_keys();

-- The author's public key (32 bytes) and signature (64 bytes) of the content in the same row. The key is part of it, so
-- that removing a key changes no post.
alter table posts add column author_signature bytea;
alter table posts add constraint author_signature_length check (length(author_signature) = 96) not valid;
alter table post_edits add column author_signature bytea;
alter table post_edits add constraint author_signature_length check (length(author_signature) = 96) not valid;
alter table drafts add column author_signature bytea;
alter table drafts add constraint author_signature_length check (length(author_signature) = 96) not valid;
comment on column posts.author_signature is 'The public key of the author and the signature of the content with it.';

-- A signature is of one content: it goes when the content is replaced or erased, whoever does that.
create function drop_old_author_signature() returns trigger language plpgsql as $$
begin
  new.author_signature := null;
  return new;
end $$;
create trigger drop_old_author_signature before update of content on posts
  for each row when (new.author_signature = old.author_signature and new.content is distinct from old.content)
  execute function drop_old_author_signature();
create trigger drop_old_author_signature before update of content on post_edits
  for each row when (new.author_signature = old.author_signature and new.content is distinct from old.content)
  execute function drop_old_author_signature();
create trigger drop_old_author_signature before update of content on drafts
  for each row when (new.author_signature = old.author_signature and new.content is distinct from old.content)
  execute function drop_old_author_signature();

grant insert (author_signature) on posts to broadside_api, broadside_worker;
grant update (author_signature) on posts to broadside_worker, broadside_operator;
grant insert (author_signature) on post_edits to broadside_api;
grant insert (author_signature) on drafts to broadside_api;
