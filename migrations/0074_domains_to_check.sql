-- works with: 0040
-- transaction: none
alter table accounts validate constraint a_domain_is_a_name;
alter table accounts validate constraint only_its_domain_is_verified;
alter table accounts validate constraint a_domain_was_checked;
alter table accounts validate constraint a_failed_check_has_a_reason;
-- It finds the domains to check again, and the accounts of one.
create index concurrently accounts_by_domain on accounts (verified_domain, domain_checked_at) where verified_domain is not null;
