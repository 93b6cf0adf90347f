-- works with: 0076
-- A rebuild must find a post whose files were written before the post is in the archive.

create table unlisted_posts (
  post_id post_id primary key,
  kind text not null,
  version bigint not null
);
comment on table unlisted_posts is 'Posts with files that no job has listed yet.';
create index unlisted_posts_by_kind on unlisted_posts (kind, version);
grant select, insert, update, delete on unlisted_posts to broadside_worker;
grant select on unlisted_posts to broadside_reader;
