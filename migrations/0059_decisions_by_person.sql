-- works with: 0040
-- transaction: none
-- The desk's statistics read the decisions of people. Most decisions are automated.
create index concurrently moderation_decisions_by_person on moderation_decisions (decided_at) where not automated;
