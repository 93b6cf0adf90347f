create domain relay_id as text collate "C" check (value ~ '^rly_[0-7][0-9a-hjkmnp-tv-z]{25}$');

-- A message to whoever placed an ad. Its text is here until the mail server has it, and no longer.
create table relayed_messages (
  id relay_id primary key,
  post_id post_id not null,
  from_account account_id not null,
  to_account account_id not null,
  message text,
  created_at timestamptz not null,
  sent_at timestamptz,                    -- null when it was given up
  constraint no_text_once_sent check (sent_at is null or message is null)
);
create index relayed_messages_by_age on relayed_messages (created_at);
create index relayed_messages_with_text on relayed_messages (created_at) where message is not null;

-- The API hands a message over, and cannot read what was written before.
grant insert (id, post_id, from_account, to_account, message, created_at) on relayed_messages to broadside_api;
grant select, delete, update (message, sent_at) on relayed_messages to broadside_worker;
-- A complaint names the message, and leads to who sent it; not to what it said.
grant select (id, post_id, from_account, to_account, created_at, sent_at) on relayed_messages
  to broadside_operator, broadside_reader;
