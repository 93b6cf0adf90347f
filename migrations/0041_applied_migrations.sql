-- works with: 0040

-- Programs of schema 0040 and older refuse to start when schema_migrations has a row that they do not know. Newer
-- migrations are recorded here, and there only if those programs cannot work with them. See decisions/0068.
create table applied_migrations (
  version integer primary key check (version > 40),
  name text not null,
  checksum text not null,
  phase text not null check (phase in ('before', 'after')),
  -- The schema number of the oldest program that works after this migration.
  works_with integer not null check (works_with between 0 and version),
  applied_at timestamptz not null
);
grant select on applied_migrations to broadside_api, broadside_worker, broadside_owner_page, broadside_desk,
  broadside_operator, broadside_reader;
