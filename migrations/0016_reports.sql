create domain report_id as text collate "C" check (value ~ '^rep_[0-7][0-9a-hjkmnp-tv-z]{25}$');
create type report_outcome as enum ('removed', 'dismissed', 'withdrawn');

-- What a person has to look at: all reports of one post that came in while nobody had decided.
create table report_cases (
  post_id post_id not null,
  number smallint not null check (number > 0),    -- a post whose case was closed may be reported again
  opened_at timestamptz not null,
  closed_at timestamptz,
  outcome report_outcome,
  primary key (post_id, number),
  constraint closed_with_an_outcome check ((closed_at is null) = (outcome is null))
);
create unique index one_open_case_a_post on report_cases (post_id) where closed_at is null;
create index report_cases_waiting on report_cases (opened_at) where closed_at is null;
create index report_cases_closed on report_cases (closed_at) where closed_at is not null;

create table reports (
  id report_id primary key,
  post_id post_id not null,
  case_number smallint not null,
  account_id account_id,                  -- whose key was sent, if one was
  category text not null,
  detail text,                            -- forgotten some time after the case is closed, and so is whose it was
  contact_email text,
  received_at timestamptz not null,
  foreign key (post_id, case_number) references report_cases on delete cascade
);
create index reports_by_case on reports (post_id, case_number);
create index reports_to_forget on reports (post_id, case_number) 
  where coalesce(detail, contact_email, account_id) is not null;

-- The API may file a report, and cannot read what others have written in theirs.
create function file_report(
  report report_id, reported post_id, reporter account_id, the_category text, the_detail text, email text, at timestamptz
) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  current_case smallint;
begin
  -- One at a time for each post: two first reports make one case.
  perform pg_advisory_xact_lock(hashtextextended('report ' || reported, 0));
  select number into current_case from report_cases where post_id = reported and closed_at is null for no key update;
  if not found then
    insert into report_cases (post_id, number, opened_at)
      select reported, coalesce(max(number), 0) + 1, at from report_cases where post_id = reported
      returning number into current_case;
  end if;
  insert into reports (id, post_id, case_number, account_id, category, detail, contact_email, received_at)
    values (report, reported, current_case, reporter, the_category, the_detail, email, at);
end $$;
revoke execute on function file_report from public;

grant execute on function file_report to broadside_api;
grant select on report_cases, reports to broadside_operator;
grant select on report_cases to broadside_reader;
grant update (closed_at, outcome) on report_cases to broadside_operator, broadside_worker;
grant select on report_cases, reports to broadside_worker;
grant update (detail, contact_email, account_id) on reports to broadside_worker;
