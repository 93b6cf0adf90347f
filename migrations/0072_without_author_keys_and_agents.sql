-- works with: 0072
-- phase: after
-- Author signatures and verified agents are undone: see decisions/0098 and decisions/0101.

drop trigger forget_author_keys on accounts;
drop function forget_author_keys;
drop table author_keys;
drop trigger drop_old_author_signature on posts;
drop trigger drop_old_author_signature on post_edits;
drop trigger drop_old_author_signature on drafts;
drop function drop_old_author_signature;
alter table posts drop column author_signature;
alter table post_edits drop column author_signature;
alter table drafts drop column author_signature;

drop trigger note_changed_standing on accounts;
drop function note_changed_standing;
drop trigger forget_agents on accounts;
drop function forget_agents;
drop table agent_keys;
drop function keep_agent_rights;
drop table agent_refusals;
drop table agent_nonces;
drop type agent_state;
alter table posts drop column agent_domain, drop column agent_directory_url, drop column agent_verified_at;
