-- Identifiers are text that sorts by time. A domain refuses one of the wrong kind where it is stored,
-- and fixes the collation, so that an index compares bytes on every server.
create domain account_id as text collate "C" check (value ~ '^acct_[0-7][0-9a-hjkmnp-tv-z]{25}$');
create domain key_id as text collate "C" check (value ~ '^key_[0-7][0-9a-hjkmnp-tv-z]{25}$');
create domain transfer_id as text collate "C" check (value ~ '^txn_[0-7][0-9a-hjkmnp-tv-z]{25}$');
-- Money: 1 USD = 1,000,000 micro-dollars. Kept within what JSON numbers carry exactly.
create domain micros as bigint check (value between -9007199254740991 and 9007199254740991);

-- Every process compares the schema with what it knows before it starts.
grant select on schema_migrations
  to broadside_api, broadside_worker, broadside_owner_page, broadside_operator, broadside_reader;
