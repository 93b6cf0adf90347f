-- The text of a rejected edit stays while a person may judge it: what an appeal is about, and what the model rejected alone.
alter table post_edits drop constraint over_is_erased;
alter table post_edits add constraint over_is_erased check (status in ('queued', 'review', 'rejected') or content is null);
alter table post_edits add constraint erased_as_a_whole check (content is not null or (facets = '{}' and links = '{}'));
create index post_edits_to_forget on post_edits (decided_at) where status = 'rejected' and content is not null;

-- An author who deletes a post takes the texts of its rejected edits along. The conditions of policies are joined by `or`,
-- so that this one alone would let the API reject an edit that waits: the function below keeps it from that.
create policy api_erases on post_edits for update to broadside_api
  using (status = 'rejected') with check (status = 'rejected' and content is null);

-- As before; and the API ends an edit by cancelling it, in no other way.
create or replace function keep_edit_rights() returns trigger language plpgsql as $$
begin
  if current_user = 'broadside_api' then
    raise exception 'the role % may not make an edit %', current_user, new.status using errcode = 'insufficient_privilege';
  end if;
  if exists (
    select from posts join accounts on accounts.id = posts.account_id
    where posts.id = new.post_id and accounts.standing = 'closed'
  ) then
    raise exception 'the account is closed' using errcode = 'check_violation', constraint = 'account_is_open';
  end if;
  return new;
end $$;
