-- works with: 0076
-- A node of the CDN can fetch a page between its change and the purge, from a cache of the gateway or with a request that was
-- under way. So each purge is sent a second time, some seconds later.
alter table cdn_purges add column again boolean not null default false;
