-- works with: 0040

-- What a key may do; null: everything that `scope` allows. A key with scopes has the scope 'read', so that a process of
-- the previous release, which does not know this column, allows less and never more.
alter table api_keys add column scopes text[];
alter table api_keys add constraint scopes_of_a_key check (
  scopes is null or (
    scope = 'read' and cardinality(scopes) > 0
    and scopes <@ array['read', 'publish', 'publish_with_approval', 'webhooks', 'account']
  )
) not valid;
grant insert (scopes) on api_keys to broadside_api;
grant insert (scopes), update (scopes) on api_keys to broadside_owner_page;
grant select (scopes) on api_keys to broadside_worker;
