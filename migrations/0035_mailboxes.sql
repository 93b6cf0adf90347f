-- The mailbox that an address is delivered to, for counting and comparing: never for sending, and never to show accounts.
-- Lower case, without the sub-address after the plus. At Google dots do not matter, and both domains are one. Addresses
-- are ASCII (the contract refuses others), so a domain in another script arrives in punycode.
create function fold_mailbox(address text) returns text
language sql immutable strict parallel safe
return (
  select case domain when 'gmail.com' then replace(name, '.', '') else name end || '@' || domain
  from (
    select
      regexp_replace(split_part(lower(address), '@', 1), '^([^+]+)[+].*$', '\1') as name,
      case split_part(lower(address), '@', 2) when 'googlemail.com' then 'gmail.com' else split_part(lower(address), '@', 2) end
        as domain
  ) parts
);

create function mail_domain(address text) returns text
language sql immutable strict parallel safe
return split_part(fold_mailbox(address), '@', 2);

drop index owner_codes_by_mailbox;
create index owner_codes_by_mailbox on owner_codes (fold_mailbox(email), created_at);
drop index owner_link_mails_by_mailbox;
create index owner_link_mails_by_mailbox on owner_link_mails (fold_mailbox(email), mailed_at);
create index accounts_by_mailbox on accounts (fold_mailbox(email))
  where email_verified_at is not null and standing <> 'closed';
create index accounts_by_mail_domain on accounts (mail_domain(email))
  where email_verified_at is not null and standing <> 'closed';

-- The owner page counts codes and the worker counts links, for each mail domain.
grant select, insert, update on allowance_uses to broadside_owner_page;
grant insert, update on allowance_uses to broadside_worker;
comment on column allowance_uses.subject is
  'An account, a key, or a keyed hash: of an address, of a network, of a mailbox or of a mail domain.';
