-- When the owner said that a key may act for the account. Anyone can open an account with someone else's address and has
-- its first key, so whoever verifies the address decides about every key that is older than that.
alter table api_keys add column confirmed_at timestamptz;
grant update (confirmed_at) on api_keys to broadside_owner_page;
-- Owners who verified before were not asked, and are not asked now.
update api_keys set confirmed_at = accounts.email_verified_at from accounts
  where accounts.id = api_keys.account_id and accounts.email_verified_at is not null;

-- How many posts and edits of an account went to a person in a day.
create index reviews_by_account on reviews (account_id, opened_at);
