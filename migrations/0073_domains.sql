-- works with: 0040
-- The domain that an account belongs to. See decisions/0111.
alter table accounts
  add column domain text collate "C",                   -- in its ASCII form
  add column verified_domain text collate "C",          -- the same while its file lists the account; public
  add column domain_checked_at timestamptz,
  add column domain_failing_since timestamptz,          -- every check has failed since then
  add column domain_refusal text collate "C";           -- why the last check failed: a fixed code
alter table accounts add constraint a_domain_is_a_name check (domain ~ '^[a-z0-9.-]{3,253}$') not valid;
alter table accounts add constraint only_its_domain_is_verified
  check (verified_domain is null or verified_domain is not distinct from domain) not valid;
alter table accounts add constraint a_domain_was_checked check ((domain is null) = (domain_checked_at is null)) not valid;
alter table accounts add constraint a_failed_check_has_a_reason
  check ((domain_refusal is null) = (domain_failing_since is null) and (domain is not null or domain_refusal is null)) not valid;
grant select (domain, verified_domain) on accounts to broadside_desk;
grant update (domain, verified_domain, domain_checked_at, domain_failing_since, domain_refusal) on accounts
  to broadside_api, broadside_worker, broadside_owner_page;

-- A closed account belongs to no domain.
create function forget_domain() returns trigger language plpgsql as $$
begin
  new.domain := null;
  new.verified_domain := null;
  new.domain_checked_at := null;
  new.domain_failing_since := null;
  new.domain_refusal := null;
  return new;
end $$;
create trigger forget_domain before update of standing on accounts
  for each row when (new.standing = 'closed') execute function forget_domain();
