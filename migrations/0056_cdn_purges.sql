-- works with: 0040
-- Pages that a CDN must fetch again, by surrogate key. A worker requests a purge in the transaction that writes the page's
-- files; another loop sends it and deletes the row. Empty unless CDN_PROVIDER is set.
create table cdn_purges (
  id bigint generated always as identity primary key,
  key text not null collate "C" check (key ~ '^[!-~]+$' and length(key) <= 512),
  requested_at timestamptz not null
);
comment on table cdn_purges is 'Surrogate keys of pages that have changed. A worker deletes a row when the CDN has accepted it.';
grant select, insert, delete on cdn_purges to broadside_worker;
grant select on cdn_purges to broadside_operator, broadside_reader;
