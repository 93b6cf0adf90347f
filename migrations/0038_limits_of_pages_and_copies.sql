-- The owner page counts the payment pages that an account opens, per hour and per day.
grant select, insert, update on allowance_uses to broadside_owner_page;
-- Moderation looks for nearly the same text of another account.
grant execute on function sharing_a_band(integer[], timestamptz) to broadside_worker;
