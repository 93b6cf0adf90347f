-- Outside production the clock of every process can be moved; production never reads this table.
create table development_clock (
  only_row boolean primary key default true check (only_row),
  offset_ms bigint not null
);

grant select on development_clock
  to broadside_api, broadside_worker, broadside_owner_page, broadside_reader, broadside_operator;
grant insert, update, delete on development_clock to broadside_operator;
