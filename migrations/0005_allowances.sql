create table allowance_uses (
  allowance text not null,                    -- a name in the registry of limits
  subject text not null,                      -- who is counted: an address, a key, an account
  day date not null,                          -- the UTC day
  used integer not null check (used >= 0),
  primary key (day, allowance, subject)       -- the day first: an old day is one range to delete
);

-- Subjects may be addresses of people, so days that are over are deleted.
grant select, insert, update, delete on allowance_uses to broadside_api;
grant select on allowance_uses to broadside_reader;
