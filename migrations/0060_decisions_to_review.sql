-- works with: 0040
-- transaction: none
-- The desk's statistics read the decisions that sent a post to a person, which are few.
create index concurrently moderation_decisions_to_review on moderation_decisions (decided_at)
  where automated and outcome = 'review';
