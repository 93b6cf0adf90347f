-- works with: 0040
-- Counts the numbered entries, and records the full pages that they fill.
insert into shelves as s (kind, path, listed, standing, version, last_number)
select kind, path, count(*) filter (where listed), count(*), nextval('page_versions'), max(number)
from shelf_entries where number is not null group by kind, path
on conflict (kind, path) do update set last_number = greatest(s.last_number, excluded.last_number);

insert into listing_pages (kind, path, number, listed, version, changed_at)
select kind, path, (number - 1) / 20 + 1, count(*) filter (where listed), nextval('page_versions'), max(published_at)
from shelf_entries where path <> ''
group by kind, path, (number - 1) / 20 having max(number) = ((min(number) - 1) / 20 + 1) * 20
on conflict do nothing;
