-- works with: 0040

-- A message to a seller by somebody without an account, from the form on the ad's page until it is mailed. The sender
-- must confirm the address first. Nothing is left of it afterwards. See decisions/0077.
create table reader_messages (
  id relay_id primary key,
  post_id post_id not null,
  to_account account_id not null,
  sender_name text not null,
  sender_email text not null,
  sender_mailbox text not null,                  -- the keyed hash under which the messages of a mailbox are counted
  message text not null,
  created_at timestamptz not null,
  token_hash bytea unique check (length(token_hash) = 32),   -- null before the link is mailed, and once it is used
  expires_at timestamptz not null,               -- of the link
  confirmed_at timestamptz,
  constraint a_link_works_once check (confirmed_at is null or token_hash is null)
);
create index reader_messages_by_seller on reader_messages (to_account);
create index reader_messages_by_sender on reader_messages (lower(sender_email));
create index reader_messages_to_confirm on reader_messages (expires_at) where confirmed_at is null;
create index reader_messages_to_send on reader_messages (confirmed_at) where confirmed_at is not null;

-- Shows a message to whoever has its link, and to nobody else.
create function read_reader_message(its_token_hash bytea, of_post post_id, at timestamptz)
returns table (sender_name text, message text)
language sql stable security definer set search_path = public, pg_temp as $$
  select sender_name, message from reader_messages
  where token_hash = its_token_hash and post_id = of_post and expires_at > at and confirmed_at is null
$$;
revoke execute on function read_reader_message from public;
grant execute on function read_reader_message to broadside_api;

-- The API takes a message in and confirms it. It cannot read who wrote what.
grant insert (id, post_id, to_account, sender_name, sender_email, sender_mailbox, message, created_at, expires_at)
  on reader_messages to broadside_api;
grant select (id, post_id, to_account, sender_mailbox, token_hash, expires_at, confirmed_at) on reader_messages
  to broadside_api;
grant update (token_hash, confirmed_at) on reader_messages to broadside_api;
grant select, delete, update (token_hash, expires_at) on reader_messages to broadside_worker;
grant select (id, post_id, to_account, created_at, expires_at, confirmed_at) on reader_messages
  to broadside_operator, broadside_reader;

-- Messages to a closed account, and those that give its address as the sender's.
create function forget_reader_messages() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from reader_messages where to_account = new.id or lower(sender_email) = lower(old.email);
  return null;
end $$;
revoke execute on function forget_reader_messages from public;
create trigger forget_reader_messages after update of standing on accounts
  for each row when (old.standing <> 'closed' and new.standing = 'closed') execute function forget_reader_messages();
