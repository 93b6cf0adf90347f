-- works with: 0040
-- The desk's statistics use the counts of completed days and count only the others.
grant select on counted_days, moderation_days to broadside_desk;
