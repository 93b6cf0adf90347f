-- works with: 0040

-- The time that each process with a replica last wrote at the primary. What the replica shows of it is how current it is.
create table replica_beats (
  reader uuid primary key,
  at timestamptz not null
) with (fillfactor = 50);
comment on table replica_beats is 'Each process that reads from a replica writes the time here, to see when it arrives there.';
grant select, insert, update, delete on replica_beats to broadside_api, broadside_desk;
