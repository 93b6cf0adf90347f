-- works with: 0078
-- phase: after
-- Texts that must never be published are no longer judged each day: see decisions/0050.
drop table canary_runs;
