-- Accounts take turns in the queues of moderation. Whoever adds a job or tells an author when a post will be decided
-- sees the turns and the work of all accounts, and nothing of what the jobs carry.
grant insert (priority, group_id, group_tier) on pgboss.job_common to broadside_api;
grant select (priority, group_id, group_tier, singleton_key, blocked) on pgboss.job_common
  to broadside_api, broadside_owner_page;
create index job_common_shares on pgboss.job_common (name, group_id, priority)
  where state < 'completed' and group_id is not null;

-- Short and long posts are measured apart, and speed is counted in windows of text.
alter table model_status
  drop column decisions_per_second,
  add column windows_per_second double precision,       -- of short posts, while some wait; null until measured
  add column long_windows_per_second double precision,
  add column long_decision_seconds double precision;    -- decision_seconds is that of short posts
