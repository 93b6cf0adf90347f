-- works with: 0040
-- transaction: none
-- The constraints of 0062 and 0063 for rows that were there before, without a lock that blocks writers.
alter table posts validate constraint author_signature_length;
alter table post_edits validate constraint author_signature_length;
alter table drafts validate constraint author_signature_length;
alter table posts validate constraint a_mark_is_whole;
