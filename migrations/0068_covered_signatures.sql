-- works with: 0040

-- What a stored signature covers depends on the program and its settings, too: the address and the title of the site, the
-- licence, and the fields that a kind has. So the row says what was signed.
alter table post_proofs
  add column covers bytea,      -- SHA-256 of the public JSON that was signed
  add column form text collate "C" not null default '';      -- the form of the public JSON when this was compared last
comment on column post_proofs.covers is 'The digest of what the signature covers. It is shown only with a post that has this digest.';
grant select (covers) on post_proofs to broadside_api, broadside_owner_page, broadside_desk;
grant select (covers, form) on post_proofs to broadside_reader;

-- The form of the workers that started last. Workers of an older release, or with older settings, compare nothing.
alter table log_head add column public_form text collate "C" not null default '';
