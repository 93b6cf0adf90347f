-- works with: 0040
-- transaction: none

alter table api_keys validate constraint scopes_of_a_key;
alter table api_keys validate constraint a_key_or_an_app;
alter table erasures validate constraint erasures_kind_check;
