-- works with: 0040
-- A mark ends when its agent stops signing, and is hidden while the account is banned. See decisions/0101.
alter table agent_keys
  add column public_key bytea,                          -- as the directory last published it
  add column is_outdated boolean not null default false; -- the account was banned or unbanned, and its posts do not show it yet
alter table agent_keys add constraint agent_keys_public_key_check check (length(public_key) = 32) not valid;
grant update (public_key, is_outdated) on agent_keys to broadside_worker;

-- Only an owner makes a mark.
create function keep_agent_rights() returns trigger language plpgsql as $$
begin
  if current_user = 'broadside_api' and new.state <> old.state and new.state <> 'checking' then
    raise exception 'the role % may not make an agent %', current_user, new.state using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger keep_agent_rights before update of state on agent_keys
  for each row execute function keep_agent_rights();

create function note_changed_standing() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update agent_keys set is_outdated = true where account_id = new.id and state = 'verified';
  return null;
end $$;
revoke execute on function note_changed_standing from public;
create trigger note_changed_standing after update of standing on accounts
  for each row when (old.standing <> new.standing and new.standing <> 'closed') execute function note_changed_standing();

-- Owners see the keys with which their agents sign posts, and can remove them.
grant select (key_id, account_id, name, created_at), delete on author_keys to broadside_owner_page;
