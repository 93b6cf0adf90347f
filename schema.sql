--
-- PostgreSQL database dump
--

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: pgboss; Type: SCHEMA; Schema: -; Owner: -
--

CREATE SCHEMA pgboss;

--
-- Name: job_state; Type: TYPE; Schema: pgboss; Owner: -
--

CREATE TYPE pgboss.job_state AS ENUM (
    'created',
    'retry',
    'active',
    'completed',
    'cancelled',
    'failed'
);

--
-- Name: account_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.account_id AS text COLLATE pg_catalog."C"
	CONSTRAINT account_id_check CHECK ((VALUE ~ '^acct_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: account_standing; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.account_standing AS ENUM (
    'good',
    'banned',
    'closed'
);

--
-- Name: decision_outcome; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.decision_outcome AS ENUM (
    'publish',
    'low_quality',
    'abuse',
    'review',
    'remove',
    'restore'
);

--
-- Name: delivery_queue; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.delivery_queue AS ENUM (
    'first',
    'again'
);

--
-- Name: delivery_status; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.delivery_status AS ENUM (
    'pending',
    'delivered',
    'failed',
    'held'
);

--
-- Name: dispute_status; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.dispute_status AS ENUM (
    'open',
    'won',
    'lost'
);

--
-- Name: draft_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.draft_id AS text COLLATE pg_catalog."C"
	CONSTRAINT draft_id_check CHECK ((VALUE ~ '^draft_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: draft_state; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.draft_state AS ENUM (
    'awaiting_approval',
    'scheduled',
    'submitted',
    'declined',
    'failed',
    'expired',
    'cancelled'
);

--
-- Name: edit_status; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.edit_status AS ENUM (
    'queued',
    'review',
    'accepted',
    'rejected',
    'cancelled'
);

--
-- Name: event_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.event_id AS text COLLATE pg_catalog."C"
	CONSTRAINT event_id_check CHECK ((VALUE ~ '^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: key_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.key_id AS text COLLATE pg_catalog."C"
	CONSTRAINT key_id_check CHECK ((VALUE ~ '^key_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: key_scope; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.key_scope AS ENUM (
    'full',
    'read'
);

--
-- Name: ledger_book; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.ledger_book AS ENUM (
    'prepaid',
    'owed',
    'revenue',
    'penalties',
    'refunds',
    'provider_clearing',
    'operator_credit',
    'disputed'
);

--
-- Name: ledger_reason; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.ledger_reason AS ENUM (
    'post',
    'edit',
    'search',
    'refund',
    'penalty',
    'settlement',
    'top_up',
    'credit',
    'debit',
    'penalty_return',
    'payout',
    'payout_return',
    'dispute',
    'dispute_return',
    'dispute_loss',
    'review_return'
);

--
-- Name: micros; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.micros AS bigint
	CONSTRAINT micros_check CHECK (((VALUE >= '-9007199254740991'::bigint) AND (VALUE <= '9007199254740991'::bigint)));

--
-- Name: model_state; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.model_state AS ENUM (
    'idle',
    'starting',
    'running'
);

--
-- Name: payment_cause; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.payment_cause AS ENUM (
    'top_up',
    'recharge'
);

--
-- Name: payment_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.payment_id AS text COLLATE pg_catalog."C"
	CONSTRAINT payment_id_check CHECK ((VALUE ~ '^pay_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: payment_refund_status; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.payment_refund_status AS ENUM (
    'asked',
    'sent',
    'succeeded',
    'failed'
);

--
-- Name: payment_status; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.payment_status AS ENUM (
    'started',
    'paid',
    'failed',
    'cancelled'
);

--
-- Name: post_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.post_id AS text COLLATE pg_catalog."C"
	CONSTRAINT post_id_check CHECK ((VALUE ~ '^post_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: post_status; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.post_status AS ENUM (
    'queued',
    'review',
    'published',
    'rejected',
    'removed',
    'deleted'
);

--
-- Name: refund_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.refund_id AS text COLLATE pg_catalog."C"
	CONSTRAINT refund_id_check CHECK ((VALUE ~ '^rfd_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: relay_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.relay_id AS text COLLATE pg_catalog."C"
	CONSTRAINT relay_id_check CHECK ((VALUE ~ '^rly_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: report_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.report_id AS text COLLATE pg_catalog."C"
	CONSTRAINT report_id_check CHECK ((VALUE ~ '^rep_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: report_outcome; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.report_outcome AS ENUM (
    'removed',
    'dismissed',
    'withdrawn'
);

--
-- Name: review_reason; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.review_reason AS ENUM (
    'unsure',
    'language',
    'rule',
    'sensitive',
    'similar',
    'no_answer'
);

--
-- Name: staff_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.staff_id AS text COLLATE pg_catalog."C"
	CONSTRAINT staff_id_check CHECK ((VALUE ~ '^staff_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: staff_role; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.staff_role AS ENUM (
    'reviewer',
    'lead',
    'admin'
);

--
-- Name: transfer_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.transfer_id AS text COLLATE pg_catalog."C"
	CONSTRAINT transfer_id_check CHECK ((VALUE ~ '^txn_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: webhook_end; Type: TYPE; Schema: public; Owner: -
--

CREATE TYPE public.webhook_end AS ENUM (
    'gone',
    'failing'
);

--
-- Name: webhook_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.webhook_id AS text COLLATE pg_catalog."C"
	CONSTRAINT webhook_id_check CHECK ((VALUE ~ '^wh_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: create_queue(text, jsonb); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.create_queue(queue_name text, options jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
DECLARE
  tablename varchar := CASE WHEN options->>'partition' = 'true'
                        THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                        ELSE 'job_common'
                        END;
  queue_created_on timestamptz;
BEGIN

  WITH q as (
    INSERT INTO pgboss.queue (
      name,
      policy,
      retry_limit,
      retry_delay,
      retry_backoff,
      retry_delay_max,
      expire_seconds,
      retention_seconds,
      deletion_seconds,
      warning_queued,
      dead_letter,
      partition,
      table_name,
      heartbeat_seconds,
      notify,
      created_on,
      updated_on
    )
    VALUES (
      queue_name,
      options->>'policy',
      COALESCE((options->>'retryLimit')::int, 2),
      COALESCE((options->>'retryDelay')::int, 0),
      COALESCE((options->>'retryBackoff')::bool, false),
      (options->>'retryDelayMax')::int,
      COALESCE((options->>'expireInSeconds')::int, 900),
      COALESCE((options->>'retentionSeconds')::int, 1209600),
      COALESCE((options->>'deleteAfterSeconds')::int, 604800),
      COALESCE((options->>'warningQueueSize')::int, 0),
      options->>'deadLetter',
      COALESCE((options->>'partition')::bool, false),
      tablename,
      (options->>'heartbeatSeconds')::int,
      COALESCE((options->>'notify')::bool, false),
      pgboss.job_now(),
      pgboss.job_now()
    )
    ON CONFLICT DO NOTHING
    RETURNING created_on
  )
  SELECT created_on into queue_created_on from q;

  IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
    RETURN;
  END IF;

  EXECUTE format('CREATE TABLE pgboss.%I (LIKE pgboss.job INCLUDING DEFAULTS)', tablename);

  EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
  EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
  EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);

  EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i11 ON pgboss.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
  EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON pgboss.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
  EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i7 ON pgboss.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
  EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i9 ON pgboss.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
  EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i12 ON pgboss.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);

  IF options->>'policy' = 'short' THEN
    EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
  ELSIF options->>'policy' = 'singleton' THEN
    EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
  ELSIF options->>'policy' = 'stately' THEN
    EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON pgboss.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
  ELSIF options->>'policy' = 'exclusive' THEN
    EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON pgboss.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
  ELSIF options->>'policy' = 'key_strict_fifo' THEN
    EXECUTE pgboss.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON pgboss.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
    EXECUTE pgboss.job_table_format($cmd$CREATE INDEX job_i10 ON pgboss.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
    EXECUTE pgboss.job_table_format($cmd$ALTER TABLE pgboss.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
  END IF;

  EXECUTE format('ALTER TABLE pgboss.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
  EXECUTE format('ALTER TABLE pgboss.job ATTACH PARTITION pgboss.%I FOR VALUES IN (%L)', tablename, queue_name);
END;
$_$;

--
-- Name: delete_queue(text); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.delete_queue(queue_name text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  v_table varchar;
  v_partition bool;
BEGIN

  SELECT table_name, partition
  FROM pgboss.queue
  WHERE name = queue_name
  INTO v_table, v_partition;

  IF v_partition THEN
    EXECUTE format('DROP TABLE IF EXISTS pgboss.%I', v_table);
  ELSE
    EXECUTE format('DELETE FROM pgboss.%I WHERE name = %L', v_table, queue_name);
  END IF;

  DELETE FROM pgboss.queue WHERE name = queue_name;
END;
$$;

--
-- Name: job_now(); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.job_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
  SELECT pg_catalog.now();
$$;

--
-- Name: job_table_format(text, text); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.job_table_format(command text, table_name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
  SELECT format(
    regexp_replace(
      regexp_replace(command, '\.job\y', '.%1$I', 'g'),
      '\yjob_i(\d+)', '%1$s_i\1', 'g'
    ),
    table_name
  );
$_$;

--
-- Name: job_table_run(text, text, text); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.job_table_run(command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
  tbl RECORD;
BEGIN
  IF queue_name IS NOT NULL THEN
    SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
  END IF;

  IF tbl_name IS NOT NULL THEN
    EXECUTE pgboss.job_table_format(command, tbl_name);
    RETURN;
  END IF;

  EXECUTE pgboss.job_table_format(command, 'job_common');

  FOR tbl IN SELECT table_name FROM pgboss.queue WHERE partition = true
  LOOP
    EXECUTE pgboss.job_table_format(command, tbl.table_name);
  END LOOP;
END;
$$;

--
-- Name: job_table_run_async(text, integer, text, text, text); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text DEFAULT NULL::text, queue_name text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
  IF queue_name IS NOT NULL THEN
    SELECT table_name INTO tbl_name FROM pgboss.queue WHERE name = queue_name;
  END IF;

  IF tbl_name IS NOT NULL THEN
    INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
    VALUES (
      command_name,
      version,
      'pending',
      queue_name,
      tbl_name,
      pgboss.job_table_format(command, tbl_name)
    );
    RETURN;
  END IF;

  INSERT INTO pgboss.bam (name, version, status, queue, table_name, command)
  SELECT
    command_name,
    version,
    'pending',
    NULL,
    'job_common',
    pgboss.job_table_format(command, 'job_common')
  UNION ALL
  SELECT
    command_name,
    version,
    'pending',
    queue.name,
    queue.table_name,
    pgboss.job_table_format(command, queue.table_name)
  FROM pgboss.queue
  WHERE partition = true;
END;
$$;

--
-- Name: refresh_statistics(); Type: FUNCTION; Schema: pgboss; Owner: -
--

CREATE FUNCTION pgboss.refresh_statistics() RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
  analyze pgboss.job_common
$$;

--
-- Name: add_strike(public.account_id, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.add_strike(account public.account_id, to_ban integer) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  update accounts set
    strikes = strikes + 1,
    banned_for_strikes = banned_for_strikes
      or (strikes + 1 >= to_ban and (standing = 'good' or standing = 'banned' and banned_with is not null)),
    standing = case when strikes + 1 >= to_ban and standing = 'good' then 'banned' else standing end
  where id = account
$$;

--
-- Name: add_strike(public.account_id, integer, public.post_id, smallint, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.add_strike(account public.account_id, to_ban integer, refused public.post_id, its_edit smallint, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  perform add_strike(account, to_ban);
  insert into abuse_refusals (post_id, edit, account_id, refused_at) values (refused, its_edit, account, at)
    on conflict (post_id, edit) do update set refused_at = excluded.refused_at;
end $$;

--
-- Name: audit_field(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.audit_field(value text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
  select coalesce(octet_length(value) || ':' || value, '-')
$$;

SET default_tablespace = '';

--
-- Name: audit_log; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_log (
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor text NOT NULL,
    action text NOT NULL,
    account_id public.account_id,
    details jsonb DEFAULT '{}'::jsonb NOT NULL
);

--
-- Name: TABLE audit_log; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.audit_log IS 'Append-only: the application''s roles may add a row and nothing else.';

--
-- Name: audit_row_bytes(public.audit_log); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.audit_row_bytes(entry public.audit_log) RETURNS bytea
    LANGUAGE plpgsql
    AS $$
begin
  return convert_to(
    audit_field(entry.id::text)
      || audit_field((extract(epoch from entry.at) * 1000000)::bigint::text)
      || audit_field(entry.actor)
      || audit_field(entry.action)
      || audit_field(entry.account_id::text)
      || audit_field(entry.details::text),
    'UTF8');
end $$;

--
-- Name: chain_audit_row(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.chain_audit_row() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  with head as (
    update audit_head set position = position + 1, hash = sha256(hash || audit_row_bytes(new)) returning position, hash
  )
  insert into audit_chain (position, audit_id, hash) select position, new.id, hash from head;
  if not found then raise exception 'audit_head has no row: see docs/runbooks/audit.md'; end if;
  return null;
end $$;

--
-- Name: clear_again(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.clear_again() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  perform from accounts where id = new.account_id for share;
  update accounts set cleared_at = null where id = new.account_id and cleared_at is not null;
  return null;
end $$;

--
-- Name: close_account(public.account_id, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.close_account(account public.account_id, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  its_email text;
begin
  -- A charge that is on its way is waited for, and the next one refused.
  perform from balances where account_id = account for no key update;
  select email into its_email from accounts where id = account and standing <> 'closed' for no key update;
  if not found then return false; end if;
  update accounts set
    standing = 'closed', name = 'Deleted account', email = '', email_verified_at = null, deletion_requested_at = null,
    card_on_file = false, auto_recharge_enabled = false, recharge_failures = 0, recharge_failed_at = null
  where id = account;

  delete from allowance_uses
    where subject = account or subject in (select id from api_keys where account_id = account);
  delete from api_keys where account_id = account;
  delete from owner_links where account_id = account;
  delete from owner_visits where account_id = account;
  delete from owner_codes where account_id = account;
  delete from owner_sessions where account_id = account;
  delete from owner_link_mails where lower(email) = lower(its_email);

  -- An address that leads nowhere, for whoever has just taken the endpoint and reads it. The rows are swept as usual.
  update webhooks set url = 'https://deleted.invalid/' where account_id = account and deleted_at is not null;
  update webhooks set url = 'https://deleted.invalid/', deleted_at = at, changes = changes + 1
    where account_id = account and deleted_at is null;
  delete from webhook_secrets where webhook_id in (select id from webhooks where account_id = account);
  with locked as (   -- in the order of endpoints, as by all who lock several
    select webhook_id, queue from delivery_lanes
    where webhook_id in (select id from webhooks where account_id = account)
    order by webhook_id, queue for no key update
  )
  update delivery_lanes lane set due_at = null
    from locked where lane.webhook_id = locked.webhook_id and lane.queue = locked.queue;

  update appeals set message = null where account_id = account and message is not null;
  update reports set account_id = null, detail = null, contact_email = null where account_id = account;
  -- Of a report by another account only the address goes; what it says is that account's.
  update reports set contact_email = null, detail = case when account_id is not null then detail end
    where lower(contact_email) = lower(its_email);
  update relayed_messages set message = null where message is not null and account in (from_account, to_account);
  update payment_customers set card = null, card_brand = null, card_last4 = null, card_expires = null
    where account_id = account;
  return true;
end $$;

--
-- Name: close_cases(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.close_cases() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from open_cases where account_id = new.id and kind <> 'report' and audited is distinct from 'published';
  return null;
end $$;

--
-- Name: close_read_reports(public.post_id, smallint, public.report_outcome, timestamp with time zone, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.close_read_reports(reported public.post_id, current_case smallint, the_outcome public.report_outcome, read_until timestamp with time zone, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  -- As file_report: nobody adds a report meanwhile.
  perform pg_advisory_xact_lock(hashtextextended('report ' || reported, 0));
  update report_cases set closed_at = at, outcome = the_outcome
    where post_id = reported and number = current_case and closed_at is null;
  if not found then return false; end if;
  if exists (
    select from reports where post_id = reported and case_number = current_case and received_at > read_until
  ) then
    insert into report_cases (post_id, number, opened_at)
      select reported, current_case + 1, min(received_at) from reports
      where post_id = reported and case_number = current_case and received_at > read_until;
    update reports set case_number = current_case + 1
      where post_id = reported and case_number = current_case and received_at > read_until;
  end if;
  return true;
end $$;

--
-- Name: current_log(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.current_log() RETURNS smallint
    LANGUAGE sql STABLE
    AS $$select number from log_head$$;

--
-- Name: deliver_event(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.deliver_event() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  with endpoints as materialized (
    select id, case
        when disabled_at is not null then false
        when proven_at is not null then true
        else take_uses(
          'deliveries-to-unproven-endpoints', new.account_id, (new.at at time zone 'UTC')::date, 1, 20 - 5
        ) = 1
      end as sends
    from webhooks where account_id = new.account_id and deleted_at is null and new.type = any (events)
  ), listening as (
    insert into deliveries (webhook_id, event_id, type, status, queue, due_at, created_at)
    select id, new.id, new.type, case when sends then 'pending' else 'held' end::delivery_status, 'first',
      case when sends then new.at end, new.at
    from endpoints
    returning webhook_id, due_at
  ), locked as (   -- in the order of endpoints, as by all who lock several
    select webhook_id from delivery_lanes
    where queue = 'first' and webhook_id in (select webhook_id from listening where due_at is not null)
    order by webhook_id for no key update
  )
  update delivery_lanes lane set due_at = least(lane.due_at, new.at)
  from locked where lane.webhook_id = locked.webhook_id and lane.queue = 'first';
  return null;
end
$$;

--
-- Name: drop_decision_salts(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.drop_decision_salts() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from decision_proofs where post_id = new.id;
  return null;
end $$;

--
-- Name: end_followed_bans(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.end_followed_bans() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  update accounts set standing = case when banned_for_strikes then standing else 'good' end, banned_with = null
    where banned_with = new.id and standing = 'banned';
  update accounts set banned_with = null where id = new.id and banned_with is not null;
  return null;
end $$;

--
-- Name: end_review(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.end_review() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if tg_table_name = 'posts' then
    update reviews set waits = false where post_id = new.id and edit = 0;
  else
    update reviews set waits = false where post_id = new.post_id and edit = new.number;
  end if;
  return null;
end $$;

--
-- Name: file_report(public.report_id, public.post_id, public.account_id, text, text, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.file_report(report public.report_id, reported public.post_id, reporter public.account_id, the_category text, the_detail text, email text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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

--
-- Name: first_look(bigint, public.post_id, smallint, public.decision_outcome, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.first_look(decision bigint, sampled public.post_id, its_edit smallint, made public.decision_outcome, drawn_at timestamp with time zone) RETURNS TABLE(decided_at timestamp with time zone, wrong boolean)
    LANGUAGE sql STABLE
    AS $$
  select looked.decided_at, looked.wrong from (
    select desk.decided_at, desk.verdict in ('remove', 'overturn') as wrong from desk_decisions desk
    where desk.post_id = sampled and desk.decided_at >= drawn_at
      and case made when 'publish' then desk.verdict in ('keep', 'remove')
        else desk.edit = its_edit and desk.verdict in ('confirm', 'overturn') end
    union all
    select appeals.decided_at, appeals.outcome = 'upheld' from appeals
    where made <> 'publish' and appeals.post_id = sampled and appeals.edit = its_edit and appeals.outcome is not null
    union all
    select later.decided_at, true from moderation_decisions later
    where later.post_id = sampled and later.id > decision and later.actor like 'operator:%'
      and case made when 'publish' then later.outcome = 'remove' else later.edit = its_edit and later.outcome = 'restore' end
  ) looked
  where made <> 'publish' or not exists (
    select from moderation_decisions newer where newer.post_id = sampled and newer.id > decision
      and newer.outcome = 'publish' and newer.decided_at <= looked.decided_at
  )
  order by looked.decided_at limit 1
$$;

--
-- Name: fold_mailbox(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.fold_mailbox(address text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (SELECT ((CASE parts.domain WHEN 'gmail.com'::text THEN replace(parts.name, '.'::text, ''::text) ELSE parts.name END || '@'::text) || parts.domain) FROM (SELECT regexp_replace(split_part(lower(fold_mailbox.address), '@'::text, 1), '^([^+]+)[+].*$'::text, '\1'::text) AS name, CASE split_part(lower(fold_mailbox.address), '@'::text, 2) WHEN 'googlemail.com'::text THEN 'gmail.com'::text ELSE split_part(lower(fold_mailbox.address), '@'::text, 2) END AS domain) parts);

--
-- Name: follow_mailbox_ban(public.account_id); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.follow_mailbox_ban(account public.account_id) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  update accounts set standing = 'banned', banned_with = other.id
  from (
    select banned.id from accounts banned join accounts mine on fold_mailbox(banned.email) = fold_mailbox(mine.email)
    where mine.id = account and banned.id <> mine.id
      and banned.standing = 'banned' and banned.email_verified_at is not null
    order by banned.id limit 1
  ) other
  where accounts.id = account and standing = 'good' and email_verified_at is not null
$$;

--
-- Name: forget_closed_account(public.account_id, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_closed_account(account public.account_id, batch integer) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  with closed as (
    select id from accounts where id = account and standing = 'closed'
  ), told as (
    delete from events where id in (
      select events.id from events join closed on closed.id = account_id limit batch
    ) returning 1
  ), answered as (
    delete from idempotent_answers where (account_id, site, path, key) in (
      select account_id, site, path, key from idempotent_answers join closed on closed.id = account_id limit batch
    ) returning 1
  ), delivered as (
    delete from deliveries where (webhook_id, event_id) in (
      select webhook_id, event_id from closed join webhooks on webhooks.account_id = closed.id
      join deliveries on deliveries.webhook_id = webhooks.id limit batch
    ) returning 1
  ), unread as (   -- one that was on its way to the closed account
    update relayed_messages set message = null from closed where message is not null and closed.id in (from_account, to_account)
  )
  select greatest((select count(*) from told), (select count(*) from answered), (select count(*) from delivered))
$$;

--
-- Name: forget_domain(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_domain() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.domain := null;
  new.verified_domain := null;
  new.domain_checked_at := null;
  new.domain_failing_since := null;
  new.domain_refusal := null;
  return new;
end $$;

--
-- Name: forget_drafts(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_drafts() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from drafts where account_id = new.id;
  delete from draft_links where account_id = new.id;
  return null;
end $$;

--
-- Name: forget_mailbox_codes(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_mailbox_codes() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from mailbox_codes where lower(email) = lower(old.email);
  return null;
end $$;

--
-- Name: forget_published_before(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_published_before() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from published_before where account_id = new.id;
  return null;
end $$;

--
-- Name: forget_reader_messages(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.forget_reader_messages() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from reader_messages where to_account = new.id or lower(sender_email) = lower(old.email);
  return null;
end $$;

--
-- Name: harm_of(text[]); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.harm_of(categories text[]) RETURNS smallint
    LANGUAGE sql IMMUTABLE
    AS $$
  select coalesce(max(case category
    when 'sexual_minors' then 3 when 'violence_threats' then 3 when 'self_harm' then 3
    when 'hate_harassment' then 2 when 'illegal_goods' then 2 when 'scam_fraud' then 2
    when 'malware_phishing' then 2 when 'personal_data' then 2 when 'impersonation' then 2
    when 'prompt_injection' then 1 when 'sexual' then 1 when 'spam' then 1
    when 'low_quality' then 0
  end), 1)::smallint from unnest(categories) category
$$;

--
-- Name: inherit_uses(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.inherit_uses() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  with revoked as (
    select uses.allowance, uses.subject, uses.day, uses.used
    from api_keys join allowance_uses uses on uses.subject = api_keys.id
    where api_keys.account_id = new.account_id and api_keys.revoked_at is not null
      and uses.day = (new.created_at at time zone 'UTC')::date and uses.used > 0
    for update of uses
  ), taken as (
    update allowance_uses uses set used = 0 from revoked
    where uses.allowance = revoked.allowance and uses.subject = revoked.subject and uses.day = revoked.day
  )
  insert into allowance_uses (allowance, subject, day, used)
  select allowance, new.id, day, sum(used) from revoked group by allowance, day;
  return null;
end
$$;

--
-- Name: keep_balance(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_balance() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  debt bigint;
  spent bigint;
  went ledger_reason[];
  comes ledger_reason[];
begin
  update balances set
    prepaid_micros = prepaid_micros
      + case new.to_book when 'prepaid' then new.amount_micros else 0 end
      - case new.from_book when 'prepaid' then new.amount_micros else 0 end,
    owed_micros = owed_micros
      + case new.from_book when 'owed' then new.amount_micros else 0 end
      - case new.to_book when 'owed' then new.amount_micros else 0 end
  where account_id = new.account_id
  returning owed_micros into strict debt;
  if new.reason in ('post', 'edit', 'search') then
    if debt > 0 then
      raise exception 'the account owes money' using errcode = 'check_violation', constraint = 'debt_comes_first';
    end if;
    if new.key_id is not null then
      -- For keys without a cap too: the owner may set one at any time of the day.
      insert into key_spending as kept (day, key_id, spent_micros)
      values ((new.entered_at at time zone 'UTC')::date, new.key_id, new.amount_micros)
      on conflict (day, key_id) do update set spent_micros = kept.spent_micros + excluded.spent_micros
      returning spent_micros into strict spent;
      if exists (select from api_keys where id = new.key_id and daily_cap_micros < spent) then
        raise exception 'the key has spent its day''s cap' using errcode = 'check_violation', constraint = 'key_keeps_within_cap';
      end if;
    end if;
    return null;
  end if;
  case new.reason
    when 'refund', 'review_return' then
      went := array['post', 'edit', 'search']; comes := array['refund', 'review_return'];
    when 'penalty_return' then went := array['penalty']; comes := array['penalty_return'];
    when 'payout_return' then went := array['payout']; comes := array['payout_return'];
    when 'dispute_return' then went := array['dispute']; comes := array['dispute_return'];
    else return null;
  end case;
  if 0 > (
    select sum(case when reason = any (went) then amount_micros else -amount_micros end) from ledger_transfers
    where subject = new.subject and account_id = new.account_id and reason = any (went || comes)
  ) then
    raise exception 'more comes back than went' using errcode = 'check_violation', constraint = case new.reason
      when 'refund' then 'refund_within_charge'
      when 'review_return' then 'refund_within_charge'
      when 'penalty_return' then 'return_within_penalty'
      when 'payout_return' then 'return_within_payout'
      else 'return_within_dispute' end;
  end if;
  return null;
end $$;

--
-- Name: keep_decisions_fair(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_decisions_fair() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  -- Of two cases of one post, decided by one person at the same moment, the second sees the first.
  perform pg_advisory_xact_lock(hashtextextended('decides ' || new.post_id || new.staff_id, 0));
  perform from desk_claims where case_key = new.case_key and staff_id = new.staff_id for update;
  if not found then
    raise exception 'the case is not claimed by who decides it' using errcode = 'check_violation', constraint = 'decided_by_its_holder';
  end if;
  if new.case_kind = 'appeal' and exists (
    select from desk_decisions where post_id = new.post_id and staff_id = new.staff_id
  ) then
    raise exception 'an appeal is not decided by who decided before' using errcode = 'check_violation', constraint = 'appeals_go_to_others';
  end if;
  return new;
end $$;

--
-- Name: keep_draft_lifecycle(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_draft_lifecycle() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  may boolean := case current_user
    when 'broadside_api' then new.state = 'cancelled'
    when 'broadside_owner_page' then new.state in ('scheduled', 'declined')
    when 'broadside_worker' then new.state in ('submitted', 'failed', 'expired')
    else current_user = 'broadside_migrator'
  end;
begin
  if tg_op = 'INSERT' then
    if new.state in ('awaiting_approval', 'scheduled') then return new; end if;
    raise exception 'a draft does not begin as %', new.state using errcode = 'check_violation', constraint = 'draft_moves';
  end if;
  if (old.state, new.state) not in (
    ('awaiting_approval', 'scheduled'), ('awaiting_approval', 'declined'), ('awaiting_approval', 'expired'),
    ('awaiting_approval', 'cancelled'),
    ('scheduled', 'submitted'), ('scheduled', 'failed'), ('scheduled', 'declined'), ('scheduled', 'cancelled')
  ) then
    raise exception 'a draft does not move from % to %', old.state, new.state
      using errcode = 'check_violation', constraint = 'draft_moves';
  end if;
  if not may then
    raise exception 'the role % may not make a draft %', current_user, new.state using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

--
-- Name: keep_edit_lifecycle(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_edit_lifecycle() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' then
    if new.status = 'queued' then return new; end if;
    raise exception 'an edit begins as queued, not as %', new.status using errcode = 'check_violation', constraint = 'edit_moves';
  end if;
  if (old.status, new.status) not in (
    ('queued', 'accepted'), ('queued', 'rejected'), ('queued', 'review'), ('queued', 'cancelled'),
    ('review', 'accepted'), ('review', 'rejected'), ('review', 'cancelled')
  ) then
    raise exception 'an edit does not move from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'edit_moves';
  end if;
  return new;
end $$;

--
-- Name: keep_edit_rights(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_edit_rights() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

--
-- Name: keep_owner_events(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_owner_events() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if new.type <> 'draft.declined' or not exists (
    select from drafts
    where id = new.data->>'id' and account_id = new.account_id and state = 'declined' and decided_at = new.at
  ) then
    raise exception 'the owner page may not announce %', new.type using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

--
-- Name: keep_post_lifecycle(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_post_lifecycle() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if tg_op = 'INSERT' then
    if new.status = 'queued' then return new; end if;
    raise exception 'a post begins as queued, not as %', new.status using errcode = 'check_violation', constraint = 'post_moves';
  end if;
  if (old.status, new.status) not in (
    ('queued', 'published'), ('queued', 'rejected'), ('queued', 'review'), ('queued', 'deleted'),
    ('review', 'published'), ('review', 'rejected'), ('review', 'deleted'),
    ('published', 'removed'), ('published', 'deleted'),
    ('removed', 'published'), ('removed', 'deleted'),
    ('rejected', 'deleted')
  ) then
    raise exception 'a post does not move from % to %', old.status, new.status
      using errcode = 'check_violation', constraint = 'post_moves';
  end if;
  return new;
end $$;

--
-- Name: keep_post_rights(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_post_rights() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
declare
  is_api boolean := current_user = 'broadside_api';
  may boolean := is_api = (new.status = 'deleted');
begin
  if old.status <> new.status and exists (select from accounts where id = new.account_id and standing = 'closed') then
    may := case new.status when 'deleted' then is_api or current_user = 'broadside_worker' when 'removed' then not is_api else false end;
  end if;
  if not may and current_user <> 'broadside_migrator' then
    raise exception 'the role % may not make a post %', current_user, new.status using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

--
-- Name: keep_worker_to_drafts(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_worker_to_drafts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  if new.account_id is not null and not exists (
    select from drafts
    where post_id = new.id and account_id = new.account_id and kind = new.kind and state = 'submitted'
  ) then
    raise exception 'the worker submits no post without its draft' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

--
-- Name: leave_search(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.leave_search() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  delete from search_entries where post_id = old.id and published_at = old.published_at;
  return null;
end $$;

--
-- Name: balances; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.balances (
    account_id public.account_id NOT NULL,
    prepaid_micros public.micros DEFAULT 0 NOT NULL,
    owed_micros public.micros DEFAULT 0 NOT NULL,
    CONSTRAINT owed_never_negative CHECK (((owed_micros)::bigint >= 0)),
    CONSTRAINT prepaid_never_negative CHECK (((prepaid_micros)::bigint >= 0))
)
WITH (fillfactor='50');

--
-- Name: TABLE balances; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.balances IS 'The sum of each account''s transfers, kept by a trigger. Nobody has the right to update it.';

--
-- Name: lock_balance(public.account_id); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.lock_balance(id public.account_id) RETURNS public.balances
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select * from balances where account_id = id for no key update
$$;

--
-- Name: posts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.posts (
    id public.post_id NOT NULL,
    account_id public.account_id NOT NULL,
    kind text NOT NULL,
    status public.post_status NOT NULL,
    content jsonb,
    facets jsonb NOT NULL,
    paid_links text[] DEFAULT '{}'::text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    published_at timestamp with time zone,
    edited_at timestamp with time zone,
    visible_until timestamp with time zone,
    listed boolean DEFAULT false NOT NULL,
    model_failures smallint DEFAULT 0 NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    CONSTRAINT deleted_is_erased CHECK (((status = 'deleted'::public.post_status) = (content IS NULL))),
    CONSTRAINT listed_is_published CHECK (((NOT listed) OR (status = 'published'::public.post_status))),
    CONSTRAINT posts_kind_check CHECK ((kind ~ '^[a-z]{2,20}$'::text)),
    CONSTRAINT posts_revision_check CHECK ((revision > 0)),
    CONSTRAINT public_has_a_date CHECK (((status <> ALL (ARRAY['published'::public.post_status, 'removed'::public.post_status])) OR (published_at IS NOT NULL)))
);

--
-- Name: TABLE posts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.posts IS 'One row for every post, of every kind. A deleted one stays as a tombstone.';

--
-- Name: COLUMN posts.revision; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.posts.revision IS '1, and one more with each accepted edit. Public, and signed.';

--
-- Name: lock_post(public.post_id); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.lock_post(id public.post_id) RETURNS SETOF public.posts
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select * from posts where posts.id = lock_post.id for no key update
$$;

--
-- Name: mail_domain(text); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.mail_domain(address text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN split_part(public.fold_mailbox(address), '@'::text, 2);

--
-- Name: name_editor(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.name_editor() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  new.account_id := (select account_id from posts where id = new.post_id);
  return new;
end $$;

--
-- Name: note_author_gone(public.post_id); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_author_gone(post public.post_id) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  insert into stream_entries (kind, post_id, type) select kind, id, 'post.edited' from posts where id = post and status = 'published'
$$;

--
-- Name: note_erasure(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_erasure() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  insert into erasures (kind, subject) values (tg_argv[0], new.id);
  return null;
end $$;

--
-- Name: note_post_erasure(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_post_erasure() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  insert into erasures (kind, subject, category) values (
    case new.status when 'published' then 'post.restored' else 'post.' || new.status end,
    new.id,
    case new.status when 'removed' then (
      select category from moderation_decisions where post_id = new.id and edit = 0 and outcome = 'remove'
      order by id desc limit 1
    ) end);
  return null;
end $$;

--
-- Name: note_post_gone(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_post_gone() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  proof post_proofs;
begin
  delete from post_proofs where post_id = new.id returning * into proof;
  -- Nothing is appended to a closed log.
  if proof.queue_id >= (select first_queue_id from log_head) then
    insert into log_queue (type, removes_queued, removes_index) values (
      'removed',
      case when proof.entry_index is null then proof.queue_id end,
      proof.entry_index);
  end if;
  return null;
end $$;

--
-- Name: note_public_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.note_public_change() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  insert into stream_entries (kind, post_id, type) values (
    new.kind,
    new.id,
    case
      when new.status <> 'published' then 'post.removed'
      when old.status <> 'published' then 'post.published'
      else 'post.edited'
    end);
  return null;
end $$;

--
-- Name: number_stream_entries(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.number_stream_entries(at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  last_position bigint;
  last_time timestamptz;
  numbered integer;
begin
  if not exists (select from stream_entries where position is null) then return 0; end if;
  perform pg_advisory_xact_lock(hashtextextended('number_stream_entries', 0));
  select position, numbered_at into last_position, last_time
    from stream_entries where position is not null order by position desc limit 1;
  with unnumbered as (
    select id, row_number() over (order by id) as place
    from (select id from stream_entries where position is null order by id limit 1000) first_ones
  )
  update stream_entries entry
  set position = coalesce(last_position, 0) + place,
    token = floor(random() * 2147483647)::integer,
    numbered_at = greatest(number_stream_entries.at, last_time)
  from unnumbered where entry.id = unnumbered.id;
  get diagnostics numbered = row_count;
  return numbered;
end $$;

--
-- Name: read_reader_message(bytea, public.post_id, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.read_reader_message(its_token_hash bytea, of_post public.post_id, at timestamp with time zone) RETURNS TABLE(sender_name text, message text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select sender_name, message from reader_messages
  where token_hash = its_token_hash and post_id = of_post and expires_at > at and confirmed_at is null
$$;

--
-- Name: refresh_cases(public.post_id); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refresh_cases(changed public.post_id) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  -- Of two transactions that change the cases of one post, the second sees what the first did.
  perform from posts where id = changed for no key update;
  with defined as materialized (select * from case_definition where post_id = changed),
  gone as (
    delete from open_cases where post_id = changed and case_key not in (select case_key from defined)
  )
  insert into open_cases as stored (
    case_key, kind, post_id, edit, account_id, site, opened_at, since, has_deadline, categories, harm, reports, version, audited
  )
  select case_key, kind, post_id, edit, account_id, site, opened_at, since, has_deadline, categories, harm, reports, version, audited
  from defined
  on conflict (case_key) do update set
    opened_at = excluded.opened_at, since = excluded.since, has_deadline = excluded.has_deadline,
    categories = excluded.categories, harm = excluded.harm, reports = excluded.reports, version = excluded.version
  where (stored.opened_at, stored.since, stored.has_deadline, stored.categories, stored.harm, stored.reports, stored.version)
    is distinct from (excluded.opened_at, excluded.since, excluded.has_deadline, excluded.categories, excluded.harm,
      excluded.reports, excluded.version);
end $$;

--
-- Name: refresh_changed_cases(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refresh_changed_cases() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if tg_table_name = 'posts' then
    perform refresh_cases(new.id);
  elsif tg_op = 'DELETE' then
    perform refresh_cases(old.post_id);
  else
    perform refresh_cases(new.post_id);
  end if;
  return null;
end $$;

--
-- Name: refuse_closed_account(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_closed_account() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  its_standing account_standing;
begin
  select standing into its_standing from accounts where id = new.account_id for share;
  if its_standing = 'closed' then
    raise exception 'the account is closed' using errcode = 'check_violation', constraint = 'account_is_open';
  end if;
  return new;
end $$;

--
-- Name: refuse_closed_charge(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_closed_charge() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if exists (select from accounts where id = new.account_id and standing = 'closed') then
    raise exception 'the account is closed' using errcode = 'check_violation', constraint = 'account_is_open';
  end if;
  return null;
end $$;

--
-- Name: refuse_debt_elsewhere(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_debt_elsewhere() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if exists (
    select from accounts mine
    join accounts other on fold_mailbox(other.email) = fold_mailbox(mine.email) and other.id <> mine.id
      and other.email_verified_at is not null and other.standing <> 'closed'
    join balances on balances.account_id = other.id and balances.owed_micros > 0
    where mine.id = new.account_id and mine.email_verified_at is not null
  ) then
    raise exception 'another account of the mailbox owes money'
      using errcode = 'check_violation', constraint = 'debt_comes_first';
  end if;
  return null;
end $$;

--
-- Name: refuse_delivery(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_delivery() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'the role % may not make a delivery %', current_user, new.status using errcode = 'insufficient_privilege';
end $$;

--
-- Name: refuse_log_change(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.refuse_log_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
  raise exception 'the transparency log is append-only';
end $$;

--
-- Name: search_shares(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.search_shares() RETURNS TABLE(of_column text, element text, share double precision)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  select attname::text, common.element, common.frequency::float8
  from pg_stats, unnest(most_common_elems::text::text[], most_common_elem_freqs) as common (element, frequency)
  where schemaname = 'public' and tablename = 'search_entries' and attname in ('words', 'facets')
    and common.element is not null
$$;

--
-- Name: post_signatures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.post_signatures (
    post_id public.post_id NOT NULL,
    edit smallint DEFAULT 0 NOT NULL,
    account_id public.account_id NOT NULL,
    words integer NOT NULL,
    bands integer[] NOT NULL,
    minhash integer[] NOT NULL,
    created_at timestamp with time zone NOT NULL
);

--
-- Name: sharing_a_band(integer[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.sharing_a_band(wanted integer[], since timestamp with time zone) RETURNS SETOF public.post_signatures
    LANGUAGE plpgsql STABLE ROWS 5
    SET enable_seqscan TO 'off'
    SET enable_indexscan TO 'off'
    AS $$
begin
  return query select * from post_signatures near
    where bands && wanted and created_at > since
    order by (select count(*) from unnest(near.bands) band where band = any (wanted)) desc, created_at desc
    limit 50;
end $$;

--
-- Name: shelve_post(public.post_id, text, timestamp with time zone, timestamp with time zone, boolean, text[], timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.shelve_post(the_post public.post_id, the_kind text, was_published_at timestamp with time zone, will_end_at timestamp with time zone, is_listed boolean, paths text[], the_time timestamp with time zone, OUT touched text[], OUT archive_month text, OUT archive_number integer, OUT is_new boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
begin
  with
    given as (select distinct path collate "C" as path from unnest(paths) as path),
    old as (select e.path, e.listed from shelf_entries e where e.post_id = the_post),
    gone as (
      delete from shelf_entries e where e.post_id = the_post and not exists (select from given where given.path = e.path)
    ),
    kept as (
      insert into shelf_entries as e (post_id, path, kind, published_at, ends_at, listed)
      select the_post, given.path, the_kind, was_published_at, will_end_at, is_listed from given
      on conflict (post_id, path) do update set ends_at = excluded.ends_at, listed = excluded.listed
    ),
    change as (
      select coalesce(given.path, old.path) as path,
        (given.path is not null and is_listed)::int - coalesce(old.listed, false)::int as listed,
        (given.path is not null)::int - (old.path is not null)::int as standing
      from given full join old on old.path = given.path
    ),
    counted as (
      insert into shelves as s (kind, path, listed, standing, version)
      -- For a list that is new; the row to be inserted must keep the checks even where another takes its place.
      select the_kind, change.path, greatest(change.listed, 0), greatest(change.listed, change.standing, 0),
        nextval('page_versions')
      from change order by change.path
      on conflict (kind, path) do update set
        listed = s.listed + (select change.listed from change where change.path = s.path),
        standing = s.standing + (select change.standing from change where change.path = s.path),
        version = excluded.version,
        emptied_at = case when s.standing + (select change.standing from change where change.path = s.path) = 0 then the_time end
    )
  select coalesce(array_agg(change.path order by change.path), '{}') from change into touched;

  update publications set version = nextval('page_versions') where post_id = the_post
    returning month, number into archive_month, archive_number;
  is_new := not found;
  if is_new then
    archive_month := to_char(was_published_at at time zone 'UTC', 'YYYY-MM');
    perform pg_advisory_xact_lock(hashtextextended('archive ' || the_kind || ' ' || archive_month, 0));
    select coalesce(max(number), 0) + 1 from publications where kind = the_kind and month = archive_month into archive_number;
    insert into publications (post_id, kind, month, number, version)
      values (the_post, the_kind, archive_month, archive_number, nextval('page_versions'));
  end if;
end $$;

--
-- Name: shelve_post(public.post_id, text, timestamp with time zone, timestamp with time zone, boolean, text[], timestamp with time zone, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.shelve_post(the_post public.post_id, the_kind text, was_published_at timestamp with time zone, will_end_at timestamp with time zone, is_listed boolean, paths text[], the_time timestamp with time zone, page_size integer, OUT touched text[], OUT archive_month text, OUT archive_number integer, OUT is_new boolean, OUT pages text[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
  own_kind text collate "default" := the_kind;
  entry record;
  page integer;
  was_listed integer;
  now_listed integer;
begin
  pages := '{}';
  touched := '{}';
  for entry in
    with
      given as (select distinct path collate "C" as path from unnest(paths) as path),
      old as (select e.path, e.listed, e.number from shelf_entries e where e.post_id = the_post),
      gone as (
        delete from shelf_entries e where e.post_id = the_post and not exists (select from given where given.path = e.path)
      ),
      change as (
        select coalesce(given.path, old.path) as path, old.number,
          -- An older program leaves entries without a number.
          (given.path is not null and old.number is null)::int as joins,
          (given.path is not null and is_listed)::int - coalesce(old.listed, false)::int as listed,
          (given.path is not null)::int - (old.path is not null)::int as standing
        from given full join old on old.path = given.path
      ),
      counted as (
        insert into shelves as s (kind, path, listed, standing, version, last_number)
        -- For a list that is new; the row to be inserted must keep the checks even where another takes its place.
        select own_kind, change.path, greatest(change.listed, 0), greatest(change.listed, change.standing, 0),
          nextval('page_versions'), change.joins
        from change order by change.path
        on conflict (kind, path) do update set
          listed = s.listed + (select change.listed from change where change.path = s.path),
          standing = s.standing + (select change.standing from change where change.path = s.path),
          version = excluded.version,
          last_number = s.last_number + excluded.last_number,
          emptied_at = case when s.standing + (select change.standing from change where change.path = s.path) = 0 then the_time end
        returning s.path, s.last_number
      ),
      kept as (
        insert into shelf_entries as e (post_id, path, kind, published_at, ends_at, listed, number)
        select the_post, given.path, own_kind, was_published_at, will_end_at, is_listed, counted.last_number
        from given join counted on counted.path = given.path
        on conflict (post_id, path) do update set
          ends_at = excluded.ends_at, listed = excluded.listed, number = coalesce(e.number, excluded.number)
      )
    select change.path, coalesce(change.number, counted.last_number) as number, counted.last_number
    from change join counted on counted.path = change.path order by change.path
  loop
    touched := touched || entry.path;
    page := (entry.number - 1) / page_size + 1;
    -- A page appears when it is full. The front page has the archive instead.
    continue when entry.path = '' or page * page_size > entry.last_number or entry.last_number = 0;
    select listed from listing_pages p where p.kind = own_kind and p.path = entry.path and p.number = page into was_listed;
    select count(*) from shelf_entries e where e.kind = own_kind and e.path = entry.path and e.listed
      and e.number between (page - 1) * page_size + 1 and page * page_size into now_listed;
    insert into listing_pages as p (kind, path, number, listed, version, changed_at)
      values (own_kind, entry.path, page, now_listed, nextval('page_versions'), the_time)
      on conflict (kind, path, number) do update set
        listed = excluded.listed, version = excluded.version, changed_at = excluded.changed_at;
    pages := pages || (entry.path || '/' || page);
    -- The neighbours link to a page only while it has posts.
    if was_listed is null or (was_listed = 0) <> (now_listed = 0) then
      pages := pages || array(
        (select p.path || '/' || p.number from listing_pages p
          where p.kind = own_kind and p.path = entry.path and p.number < page and p.listed > 0 order by p.number desc limit 1)
        union all
        (select p.path || '/' || p.number from listing_pages p
          where p.kind = own_kind and p.path = entry.path and p.number > page and p.listed > 0 order by p.number limit 1));
    end if;
  end loop;

  update publications set version = nextval('page_versions') where post_id = the_post
    returning month, number into archive_month, archive_number;
  is_new := not found;
  if is_new then
    archive_month := to_char(was_published_at at time zone 'UTC', 'YYYY-MM');
    perform pg_advisory_xact_lock(hashtextextended('archive ' || own_kind || ' ' || archive_month, 0));
    select coalesce(max(number), 0) + 1 from publications where kind = own_kind and month = archive_month into archive_number;
    insert into publications (post_id, kind, month, number, version)
      values (the_post, own_kind, archive_month, archive_number, nextval('page_versions'));
  end if;
end $$;

--
-- Name: start_new_log(text, text, bytea, text, text, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.start_new_log(new_origin text, new_key text, empty_root bytea, close_reason text, published_note text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  lock table log_queue in exclusive mode;
  insert into closed_logs (number, origin, verifier_key, reason, last_checkpoint, closed_at)
    select number, origin, verifier_key, close_reason, coalesce(published_note,
      (select note from log_checkpoints where log = number and published order by size desc limit 1)), at
    from log_head;
  if exists (select from closed_logs where origin = new_origin) then
    raise exception 'the origin % names a closed log', new_origin;
  end if;
  delete from log_queue;
  update log_head set
    number = number + 1, origin = new_origin, verifier_key = new_key,
    first_queue_id = nextval(pg_get_serial_sequence('log_queue', 'id')),
    size = 0, root = empty_root, edge = '{}', published_size = 0, proofs_through = 0,
    audit_position = 0, audit_noted_at = null,
    stopped_reason = null, stopped_at = null, files_lost = false;
end $$;

--
-- Name: take_strike_back(public.account_id, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.take_strike_back(account public.account_id, to_ban integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  if session_user = 'broadside_worker' and not exists (
    select from desk_decisions desk where desk.account_id = account and desk.applied_at is null
      and desk.verdict in ('uphold', 'overturn')
  ) then
    raise exception 'nobody has decided that' using errcode = 'insufficient_privilege';
  end if;
  update accounts set
    strikes = strikes - 1,
    standing = case
      when banned_for_strikes and strikes - 1 < to_ban and standing = 'banned' and banned_with is null then 'good'
      else standing
    end,
    banned_for_strikes = banned_for_strikes and strikes - 1 >= to_ban
  where id = account and strikes > 0;
end $$;

--
-- Name: take_strike_back(public.account_id, integer, public.post_id, smallint); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.take_strike_back(account public.account_id, to_ban integer, refused public.post_id, its_edit smallint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
begin
  perform take_strike_back(account, to_ban);
  delete from abuse_refusals where post_id = refused and edit = its_edit and account_id = account;
end $$;

--
-- Name: take_uses(text, text, date, integer, integer); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.take_uses(of_allowance text, of_subject text, on_day date, wanted integer, max_uses integer) RETURNS integer
    LANGUAGE plpgsql
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  taken integer;
begin
  insert into allowance_uses (allowance, subject, day, used) values (of_allowance, of_subject, on_day, 0)
  on conflict do nothing;
  with locked as (
    select day, allowance, subject, used from allowance_uses
    where day = on_day and allowance = of_allowance and subject = of_subject for no key update
  )
  update allowance_uses uses set used = locked.used + least(wanted, greatest(0, max_uses - locked.used))
  from locked
  where uses.day = locked.day and uses.allowance = locked.allowance and uses.subject = locked.subject
  returning uses.used - locked.used into taken;
  return taken;
end
$$;

--
-- Name: turn_off_auto_recharge(public.account_id); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.turn_off_auto_recharge(account public.account_id) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  update accounts set auto_recharge_enabled = false where id = account
$$;

--
-- Name: bam; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.bam (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL,
    queue text,
    table_name text NOT NULL,
    command text NOT NULL,
    error text,
    created_on timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone
);

--
-- Name: job; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.job (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid
)
PARTITION BY LIST (name);

--
-- Name: job_common; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.job_common (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    data jsonb,
    state pgboss.job_state DEFAULT 'created'::pgboss.job_state NOT NULL,
    retry_limit integer DEFAULT 2 NOT NULL,
    retry_count integer DEFAULT 0 NOT NULL,
    retry_delay integer DEFAULT 0 NOT NULL,
    retry_backoff boolean DEFAULT false NOT NULL,
    retry_delay_max integer,
    expire_seconds integer DEFAULT 900 NOT NULL,
    deletion_seconds integer DEFAULT 604800 NOT NULL,
    singleton_key text,
    singleton_on timestamp without time zone,
    group_id text,
    group_tier text,
    start_after timestamp with time zone DEFAULT now() NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    started_on timestamp with time zone,
    completed_on timestamp with time zone,
    keep_until timestamp with time zone DEFAULT (now() + '336:00:00'::interval) NOT NULL,
    output jsonb,
    dead_letter text,
    policy text,
    heartbeat_on timestamp with time zone,
    heartbeat_seconds integer,
    blocked boolean DEFAULT false NOT NULL,
    blocking boolean DEFAULT false NOT NULL,
    pending_dependencies integer DEFAULT 0 NOT NULL,
    source_name text,
    source_id uuid,
    source_created_on timestamp with time zone,
    source_retry_count integer,
    source_output jsonb,
    source_root_id uuid,
    CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK ((NOT ((policy = 'key_strict_fifo'::text) AND (singleton_key IS NULL))))
);

--
-- Name: job_dependency; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.job_dependency (
    child_name text NOT NULL,
    child_id uuid NOT NULL,
    parent_name text NOT NULL,
    parent_id uuid NOT NULL
);

--
-- Name: queue; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.queue (
    name text NOT NULL,
    policy text NOT NULL,
    retry_limit integer NOT NULL,
    retry_delay integer NOT NULL,
    retry_backoff boolean NOT NULL,
    retry_delay_max integer,
    expire_seconds integer NOT NULL,
    retention_seconds integer NOT NULL,
    deletion_seconds integer NOT NULL,
    dead_letter text,
    partition boolean NOT NULL,
    table_name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    warning_queued integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer DEFAULT 0 NOT NULL,
    completed_delta integer DEFAULT 0 NOT NULL,
    failed_delta integer DEFAULT 0 NOT NULL,
    delta_on timestamp with time zone,
    delta_seconds integer,
    ready_history integer[] DEFAULT '{}'::integer[] NOT NULL,
    heartbeat_seconds integer,
    notify boolean DEFAULT false NOT NULL,
    singletons_active text[],
    monitor_claim_on timestamp with time zone,
    monitor_on timestamp with time zone,
    maintain_on timestamp with time zone,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT queue_check CHECK ((dead_letter IS DISTINCT FROM name))
);

--
-- Name: queue_stats; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.queue_stats (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    name text NOT NULL,
    deferred_count integer DEFAULT 0 NOT NULL,
    queued_count integer DEFAULT 0 NOT NULL,
    ready_count integer DEFAULT 0 NOT NULL,
    active_count integer DEFAULT 0 NOT NULL,
    failed_count integer DEFAULT 0 NOT NULL,
    total_count integer DEFAULT 0 NOT NULL,
    created_delta integer,
    completed_delta integer,
    failed_delta integer,
    delta_seconds integer,
    delta_on timestamp with time zone,
    captured_on timestamp with time zone DEFAULT now() NOT NULL
)
PARTITION BY RANGE (captured_on);

--
-- Name: schedule; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.schedule (
    name text NOT NULL,
    key text DEFAULT ''::text NOT NULL,
    kind text DEFAULT 'cron'::text NOT NULL,
    cron text NOT NULL,
    timezone text DEFAULT 'UTC'::text,
    data jsonb,
    options jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL,
    last_job_id uuid,
    CONSTRAINT schedule_kind_check CHECK ((kind = ANY (ARRAY['cron'::text, 'rrule'::text])))
);

--
-- Name: subscription; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.subscription (
    event text NOT NULL,
    name text NOT NULL,
    created_on timestamp with time zone DEFAULT now() NOT NULL,
    updated_on timestamp with time zone DEFAULT now() NOT NULL
);

--
-- Name: version; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.version (
    version integer NOT NULL,
    cron_on timestamp with time zone,
    bam_on timestamp with time zone,
    flow_on timestamp with time zone,
    reindex_on timestamp with time zone,
    monitor_backoff_on timestamp with time zone
);

--
-- Name: warning; Type: TABLE; Schema: pgboss; Owner: -
--

CREATE TABLE pgboss.warning (
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    type text NOT NULL,
    message text NOT NULL,
    data jsonb,
    created_on timestamp with time zone DEFAULT now() NOT NULL
);

--
-- Name: abuse_refusals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.abuse_refusals (
    post_id public.post_id NOT NULL,
    edit smallint NOT NULL,
    account_id public.account_id NOT NULL,
    refused_at timestamp with time zone NOT NULL
);

--
-- Name: accounts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.accounts (
    id public.account_id NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    email_verified_at timestamp with time zone,
    standing public.account_standing DEFAULT 'good'::public.account_standing NOT NULL,
    strikes integer DEFAULT 0 NOT NULL,
    policy_version text NOT NULL,
    card_on_file boolean DEFAULT false NOT NULL,
    auto_recharge_enabled boolean DEFAULT false NOT NULL,
    auto_recharge_threshold_micros public.micros DEFAULT 1000000 NOT NULL,
    auto_recharge_amount_micros public.micros DEFAULT 10000000 NOT NULL,
    deletion_requested_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    banned_for_strikes boolean DEFAULT false NOT NULL,
    auto_recharge_daily_cap_micros public.micros DEFAULT 50000000 NOT NULL,
    auto_recharge_changed_at timestamp with time zone,
    recharge_failures smallint DEFAULT 0 NOT NULL,
    recharge_failed_at timestamp with time zone,
    cleared_at timestamp with time zone,
    mails_about_reviews boolean DEFAULT true NOT NULL,
    banned_with public.account_id,
    domain text COLLATE pg_catalog."C",
    verified_domain text COLLATE pg_catalog."C",
    domain_checked_at timestamp with time zone,
    domain_failing_since timestamp with time zone,
    domain_refusal text COLLATE pg_catalog."C",
    CONSTRAINT a_domain_is_a_name CHECK ((domain ~ '^[a-z0-9.-]{3,253}$'::text)),
    CONSTRAINT a_domain_was_checked CHECK (((domain IS NULL) = (domain_checked_at IS NULL))),
    CONSTRAINT a_failed_check_has_a_reason CHECK ((((domain_refusal IS NULL) = (domain_failing_since IS NULL)) AND ((domain IS NOT NULL) OR (domain_refusal IS NULL)))),
    CONSTRAINT accounts_auto_recharge_amount_micros_check CHECK (((auto_recharge_amount_micros)::bigint > 0)),
    CONSTRAINT accounts_auto_recharge_daily_cap_micros_check CHECK (((auto_recharge_daily_cap_micros)::bigint > 0)),
    CONSTRAINT accounts_auto_recharge_threshold_micros_check CHECK (((auto_recharge_threshold_micros)::bigint >= 0)),
    CONSTRAINT accounts_recharge_failures_check CHECK ((recharge_failures >= 0)),
    CONSTRAINT accounts_strikes_check CHECK ((strikes >= 0)),
    CONSTRAINT only_its_domain_is_verified CHECK (((verified_domain IS NULL) OR (NOT (verified_domain IS DISTINCT FROM domain))))
);

--
-- Name: allowance_uses; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.allowance_uses (
    allowance text NOT NULL,
    subject text NOT NULL,
    day date NOT NULL,
    used integer NOT NULL,
    CONSTRAINT allowance_uses_used_check CHECK ((used >= 0))
);

--
-- Name: COLUMN allowance_uses.subject; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.allowance_uses.subject IS 'An account, a key, or a keyed hash: of an address, of a network, of a mailbox or of a mail domain.';

--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    id public.key_id NOT NULL,
    account_id public.account_id NOT NULL,
    name text NOT NULL,
    hash bytea,
    last4 text,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    scope public.key_scope DEFAULT 'full'::public.key_scope NOT NULL,
    daily_cap_micros public.micros,
    slot smallint DEFAULT 1 NOT NULL,
    confirmed_at timestamp with time zone,
    scopes text[],
    client_id text,
    client_host text,
    CONSTRAINT a_key_or_an_app CHECK ((((hash IS NULL) = (client_id IS NOT NULL)) AND ((last4 IS NULL) = (client_id IS NOT NULL)) AND ((client_host IS NULL) = (client_id IS NULL)))),
    CONSTRAINT api_keys_daily_cap_micros_check CHECK (((daily_cap_micros)::bigint >= 0)),
    CONSTRAINT api_keys_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT api_keys_last4_check CHECK ((length(last4) = 4)),
    CONSTRAINT api_keys_slot_check CHECK (((slot >= 1) AND (slot <= 20))),
    CONSTRAINT scopes_of_a_key CHECK (((scopes IS NULL) OR ((scope = 'read'::public.key_scope) AND (cardinality(scopes) > 0) AND (scopes <@ ARRAY['read'::text, 'publish'::text, 'publish_with_approval'::text, 'webhooks'::text, 'account'::text]))))
);

--
-- Name: COLUMN api_keys.hash; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.hash IS 'SHA-256 of the key. The key itself is shown once and stored nowhere.';

--
-- Name: appeals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.appeals (
    post_id public.post_id NOT NULL,
    edit smallint DEFAULT 0 NOT NULL,
    account_id public.account_id NOT NULL,
    message text,
    submitted_at timestamp with time zone NOT NULL,
    outcome text,
    decided_at timestamp with time zone,
    CONSTRAINT appeals_outcome_check CHECK ((outcome = ANY (ARRAY['upheld'::text, 'dismissed'::text])))
);

--
-- Name: applied_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.applied_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    phase text NOT NULL,
    works_with integer NOT NULL,
    applied_at timestamp with time zone NOT NULL,
    CONSTRAINT applied_migrations_check CHECK (((works_with >= 0) AND (works_with <= version))),
    CONSTRAINT applied_migrations_phase_check CHECK ((phase = ANY (ARRAY['before'::text, 'after'::text]))),
    CONSTRAINT applied_migrations_version_check CHECK ((version > 40))
);

--
-- Name: audit_chain; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_chain (
    "position" bigint NOT NULL,
    audit_id bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_chain_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT audit_chain_position_check CHECK (("position" > 0))
);

--
-- Name: TABLE audit_chain; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.audit_chain IS 'In order of commit: sha256 of the hash before and the bytes of the row. Written by a trigger alone.';

--
-- Name: audit_head; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_head (
    is_only boolean DEFAULT true NOT NULL,
    "position" bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT audit_head_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT audit_head_is_only_check CHECK (is_only),
    CONSTRAINT audit_head_position_check CHECK (("position" >= 0))
)
WITH (fillfactor='50');

--
-- Name: TABLE audit_head; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.audit_head IS 'The last entry of audit_chain. Whoever adds one holds this row, so that they stand in a line.';

--
-- Name: audit_log_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: audit_samples; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.audit_samples (
    decision_id bigint NOT NULL,
    post_id public.post_id NOT NULL,
    edit smallint NOT NULL,
    outcome public.decision_outcome NOT NULL,
    share numeric NOT NULL,
    sampled_at timestamp with time zone NOT NULL,
    CONSTRAINT audit_samples_outcome_check CHECK ((outcome = ANY (ARRAY['publish'::public.decision_outcome, 'low_quality'::public.decision_outcome, 'abuse'::public.decision_outcome]))),
    CONSTRAINT audit_samples_share_check CHECK (((share > (0)::numeric) AND (share <= (1)::numeric)))
);

--
-- Name: TABLE audit_samples; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.audit_samples IS 'Append-only.';

--
-- Name: desk_decisions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.desk_decisions (
    case_key text NOT NULL COLLATE pg_catalog."C",
    case_kind text NOT NULL,
    post_id public.post_id NOT NULL,
    edit smallint NOT NULL,
    account_id public.account_id NOT NULL,
    staff_id public.staff_id NOT NULL,
    verdict text NOT NULL,
    category text,
    seconds integer NOT NULL,
    decided_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    applied_at timestamp with time zone,
    effect text,
    CONSTRAINT a_category_where_one_is_named CHECK (((category IS NOT NULL) = (verdict = ANY (ARRAY['reject'::text, 'remove'::text])))),
    CONSTRAINT a_verdict_of_its_kind CHECK (((((((((((((((case_kind = 'review'::text) AND (verdict = 'publish'::text)) OR ((case_kind = 'review'::text) AND (verdict = 'reject'::text))) OR ((case_kind = 'review'::text) AND (verdict = 'low_quality'::text))) OR ((case_kind = 'report'::text) AND (verdict = 'keep'::text))) OR ((case_kind = 'report'::text) AND (verdict = 'remove'::text))) OR ((case_kind = 'appeal'::text) AND (verdict = 'uphold'::text))) OR ((case_kind = 'appeal'::text) AND (verdict = 'dismiss'::text))) OR ((case_kind = 'check'::text) AND (verdict = 'confirm'::text))) OR ((case_kind = 'check'::text) AND (verdict = 'overturn'::text))) OR ((case_kind = 'audit'::text) AND (verdict = 'keep'::text))) OR ((case_kind = 'audit'::text) AND (verdict = 'remove'::text))) OR ((case_kind = 'audit'::text) AND (verdict = 'confirm'::text))) OR ((case_kind = 'audit'::text) AND (verdict = 'overturn'::text)))),
    CONSTRAINT applied_with_an_effect CHECK (((applied_at IS NULL) = (effect IS NULL))),
    CONSTRAINT desk_decisions_effect_check CHECK ((effect = ANY (ARRAY['done'::text, 'nothing_to_do'::text]))),
    CONSTRAINT desk_decisions_seconds_check CHECK ((seconds >= 0)),
    CONSTRAINT the_key_names_the_case CHECK ((case_key ~~ (case_kind || ':%'::text)))
);

--
-- Name: moderation_decisions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.moderation_decisions (
    id bigint NOT NULL,
    post_id public.post_id NOT NULL,
    edit smallint DEFAULT 0 NOT NULL,
    outcome public.decision_outcome NOT NULL,
    category text,
    reason text,
    automated boolean NOT NULL,
    actor text NOT NULL,
    policy_version text NOT NULL,
    model text,
    model_version text,
    scores jsonb DEFAULT '{}'::jsonb NOT NULL,
    decided_at timestamp with time zone NOT NULL
);

--
-- Name: TABLE moderation_decisions; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.moderation_decisions IS 'Append-only.';

--
-- Name: post_edits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.post_edits (
    post_id public.post_id NOT NULL,
    number smallint NOT NULL,
    status public.edit_status NOT NULL,
    content jsonb,
    facets jsonb NOT NULL,
    links text[] DEFAULT '{}'::text[] NOT NULL,
    submitted_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    model_failures smallint DEFAULT 0 NOT NULL,
    account_id public.account_id,
    CONSTRAINT erased_as_a_whole CHECK (((content IS NOT NULL) OR ((facets = '{}'::jsonb) AND (links = '{}'::text[])))),
    CONSTRAINT over_is_erased CHECK (((status = ANY (ARRAY['queued'::public.edit_status, 'review'::public.edit_status, 'rejected'::public.edit_status])) OR (content IS NULL))),
    CONSTRAINT post_edits_number_check CHECK ((number > 0))
);

--
-- Name: report_cases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.report_cases (
    post_id public.post_id NOT NULL,
    number smallint NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    outcome public.report_outcome,
    CONSTRAINT closed_with_an_outcome CHECK (((closed_at IS NULL) = (outcome IS NULL))),
    CONSTRAINT report_cases_number_check CHECK ((number > 0))
);

--
-- Name: reports; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reports (
    id public.report_id NOT NULL,
    post_id public.post_id NOT NULL,
    case_number smallint NOT NULL,
    account_id public.account_id,
    category text NOT NULL,
    detail text,
    contact_email text,
    received_at timestamp with time zone NOT NULL
);

--
-- Name: case_definition; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.case_definition WITH (security_invoker='true') AS
 SELECT found.case_key,
    found.kind,
    found.post_id,
    found.edit,
    found.account_id,
    found.site,
    found.opened_at,
    found.since,
    found.has_deadline,
    found.categories,
    found.reports,
    found.version,
    found.audited,
    public.harm_of(found.categories) AS harm
   FROM ( SELECT (('review:'::text || (posts.id)::text) || ':0'::text) AS case_key,
            'review'::text AS kind,
            posts.id AS post_id,
            (0)::smallint AS edit,
            posts.account_id,
            posts.kind AS site,
            COALESCE(asked.decided_at, posts.created_at) AS opened_at,
            COALESCE(asked.decided_at, posts.created_at) AS since,
            false AS has_deadline,
            array_remove(ARRAY[asked.category, ((asked.scores -> 'judge'::text) ->> 'category'::text)], NULL::text) AS categories,
            0 AS reports,
            ''::text AS version,
            NULL::text AS audited
           FROM ((public.posts
             JOIN public.accounts ON (((accounts.id)::text = (posts.account_id)::text)))
             LEFT JOIN LATERAL ( SELECT moderation_decisions.decided_at,
                    moderation_decisions.category,
                    moderation_decisions.scores
                   FROM public.moderation_decisions
                  WHERE (((moderation_decisions.post_id)::text = (posts.id)::text) AND (moderation_decisions.edit = 0) AND (moderation_decisions.outcome = 'review'::public.decision_outcome))
                  ORDER BY moderation_decisions.id DESC
                 LIMIT 1) asked ON (true))
          WHERE ((posts.status = 'review'::public.post_status) AND (accounts.standing <> 'closed'::public.account_standing))
        UNION ALL
         SELECT ((('review:'::text || (edits.post_id)::text) || ':'::text) || edits.number),
            'review'::text,
            posts.id,
            edits.number,
            posts.account_id,
            posts.kind,
            COALESCE(asked.decided_at, edits.submitted_at) AS "coalesce",
            COALESCE(asked.decided_at, edits.submitted_at) AS "coalesce",
            false,
            array_remove(ARRAY[asked.category, ((asked.scores -> 'judge'::text) ->> 'category'::text)], NULL::text) AS array_remove,
            0,
            ''::text,
            NULL::text
           FROM (((public.post_edits edits
             JOIN public.posts ON (((posts.id)::text = (edits.post_id)::text)))
             JOIN public.accounts ON (((accounts.id)::text = (posts.account_id)::text)))
             LEFT JOIN LATERAL ( SELECT moderation_decisions.decided_at,
                    moderation_decisions.category,
                    moderation_decisions.scores
                   FROM public.moderation_decisions
                  WHERE (((moderation_decisions.post_id)::text = (edits.post_id)::text) AND (moderation_decisions.edit = edits.number) AND (moderation_decisions.outcome = 'review'::public.decision_outcome))
                  ORDER BY moderation_decisions.id DESC
                 LIMIT 1) asked ON (true))
          WHERE ((edits.status = 'review'::public.edit_status) AND (posts.status = 'published'::public.post_status) AND (accounts.standing <> 'closed'::public.account_standing))
        UNION ALL
         SELECT ((('report:'::text || (cases.post_id)::text) || ':'::text) || cases.number),
            'report'::text,
            posts.id,
            (0)::smallint AS int2,
            posts.account_id,
            posts.kind,
            cases.opened_at,
            cases.opened_at,
            false,
            gathered.categories,
            gathered.reports,
            ((gathered.reports || ' '::text) || COALESCE(EXTRACT(epoch FROM posts.edited_at), (0)::numeric)),
            NULL::text
           FROM ((public.report_cases cases
             JOIN public.posts ON (((posts.id)::text = (cases.post_id)::text)))
             CROSS JOIN LATERAL ( SELECT (count(*))::integer AS reports,
                    COALESCE(array_agg(DISTINCT reports.category), '{}'::text[]) AS categories
                   FROM public.reports
                  WHERE (((reports.post_id)::text = (cases.post_id)::text) AND (reports.case_number = cases.number))) gathered)
          WHERE ((cases.closed_at IS NULL) AND (posts.status = 'published'::public.post_status))
        UNION ALL
         SELECT ((('appeal:'::text || (appeals.post_id)::text) || ':'::text) || appeals.edit),
            'appeal'::text,
            posts.id,
            appeals.edit,
            posts.account_id,
            posts.kind,
            appeals.submitted_at,
                CASE
                    WHEN check_of.waits THEN refusal.decided_at
                    ELSE appeals.submitted_at
                END AS submitted_at,
            check_of.waits,
            array_remove(ARRAY[refusal.category], NULL::text) AS array_remove,
            0,
            ''::text,
            NULL::text
           FROM ((((public.appeals
             JOIN public.posts ON (((posts.id)::text = (appeals.post_id)::text)))
             JOIN public.accounts ON (((accounts.id)::text = (posts.account_id)::text)))
             LEFT JOIN LATERAL ( SELECT moderation_decisions.id,
                    moderation_decisions.category,
                    moderation_decisions.automated,
                    moderation_decisions.outcome,
                    moderation_decisions.decided_at
                   FROM public.moderation_decisions
                  WHERE (((moderation_decisions.post_id)::text = (appeals.post_id)::text) AND (moderation_decisions.edit = appeals.edit) AND (moderation_decisions.outcome = ANY (ARRAY['low_quality'::public.decision_outcome, 'abuse'::public.decision_outcome, 'remove'::public.decision_outcome])))
                  ORDER BY moderation_decisions.id DESC
                 LIMIT 1) refusal ON (true))
             CROSS JOIN LATERAL ( SELECT (COALESCE((refusal.automated AND (refusal.outcome = 'abuse'::public.decision_outcome)), false) AND (NOT (EXISTS ( SELECT
                           FROM public.desk_decisions
                          WHERE (desk_decisions.case_key = ('check:'::text || refusal.id)))))) AS waits) check_of)
          WHERE ((appeals.outcome IS NULL) AND (posts.status <> 'deleted'::public.post_status) AND (accounts.standing <> 'closed'::public.account_standing))
        UNION ALL
         SELECT ('check:'::text || made.id),
            'check'::text,
            posts.id,
            made.edit,
            posts.account_id,
            posts.kind,
            made.decided_at,
            made.decided_at,
            true,
            array_remove(ARRAY[made.category], NULL::text) AS array_remove,
            0,
            ''::text,
            NULL::text
           FROM ((public.moderation_decisions made
             JOIN public.posts ON (((posts.id)::text = (made.post_id)::text)))
             JOIN public.accounts ON (((accounts.id)::text = (posts.account_id)::text)))
          WHERE (made.automated AND (made.outcome = 'abuse'::public.decision_outcome) AND (posts.status <> 'deleted'::public.post_status) AND (accounts.standing <> 'closed'::public.account_standing) AND (NOT (EXISTS ( SELECT
                   FROM public.appeals
                  WHERE (((appeals.post_id)::text = (made.post_id)::text) AND (appeals.edit = made.edit))))) AND (NOT (EXISTS ( SELECT
                   FROM public.moderation_decisions later
                  WHERE (((later.post_id)::text = (made.post_id)::text) AND (later.edit = made.edit) AND (later.outcome = 'restore'::public.decision_outcome) AND (later.id > made.id))))))
        UNION ALL
         SELECT ('audit:'::text || sample.decision_id),
            'audit'::text,
            posts.id,
            sample.edit,
            posts.account_id,
            posts.kind,
            sample.sampled_at,
            sample.sampled_at,
            false,
            array_remove(ARRAY[made.category], NULL::text) AS array_remove,
            0,
            ''::text,
                CASE sample.outcome
                    WHEN 'publish'::public.decision_outcome THEN 'published'::text
                    ELSE 'rejected'::text
                END AS "case"
           FROM (((public.audit_samples sample
             JOIN public.moderation_decisions made ON ((made.id = sample.decision_id)))
             JOIN public.posts ON (((posts.id)::text = (sample.post_id)::text)))
             JOIN public.accounts ON (((accounts.id)::text = (posts.account_id)::text)))
          WHERE (
                CASE sample.outcome
                    WHEN 'publish'::public.decision_outcome THEN ((posts.status = 'published'::public.post_status) AND COALESCE((posts.edited_at <= sample.sampled_at), true))
                    WHEN 'low_quality'::public.decision_outcome THEN ((posts.status <> 'deleted'::public.post_status) AND (accounts.standing <> 'closed'::public.account_standing) AND (NOT (EXISTS ( SELECT
                       FROM public.appeals
                      WHERE (((appeals.post_id)::text = (sample.post_id)::text) AND (appeals.edit = sample.edit))))))
                    ELSE false
                END AND (NOT (EXISTS ( SELECT
                   FROM public.first_look(sample.decision_id, sample.post_id, sample.edit, sample.outcome, sample.sampled_at) first_look(decided_at, wrong)))))) found
  WHERE (NOT (EXISTS ( SELECT
           FROM public.desk_decisions decided
          WHERE (decided.case_key = found.case_key))));

--
-- Name: cdn_purges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.cdn_purges (
    id bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    requested_at timestamp with time zone NOT NULL,
    again boolean DEFAULT false NOT NULL,
    CONSTRAINT cdn_purges_key_check CHECK (((key ~ '^[!-~]+$'::text) AND (length(key) <= 512)))
);

--
-- Name: TABLE cdn_purges; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.cdn_purges IS 'Surrogate keys of pages that have changed. A worker deletes a row when the CDN has accepted it.';

--
-- Name: cdn_purges_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.cdn_purges ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.cdn_purges_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: closed_logs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.closed_logs (
    number smallint NOT NULL,
    origin text NOT NULL,
    verifier_key text NOT NULL,
    reason text NOT NULL,
    last_checkpoint text,
    closed_at timestamp with time zone NOT NULL,
    CONSTRAINT closed_logs_reason_check CHECK ((reason = ANY (ARRAY['key_leaked'::text, 'key_lost'::text, 'entries_lost'::text])))
);

--
-- Name: TABLE closed_logs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.closed_logs IS 'The transparency logs before the open one. Published at /.well-known/broadside-keys.json.';

--
-- Name: counted_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.counted_days (
    day date NOT NULL,
    counted_at timestamp with time zone NOT NULL,
    audit_entries bigint,
    audit_hash text,
    CONSTRAINT counted_days_audit_entries_check CHECK ((audit_entries > 0)),
    CONSTRAINT counted_days_audit_hash_check CHECK ((audit_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT whole_head CHECK (((audit_entries IS NULL) = (audit_hash IS NULL)))
);

--
-- Name: TABLE counted_days; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.counted_days IS 'Append-only.';

--
-- Name: decision_proofs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.decision_proofs (
    decision_id bigint NOT NULL,
    post_id public.post_id NOT NULL,
    salt bytea NOT NULL,
    origin text NOT NULL,
    queue_id bigint NOT NULL,
    entry_index bigint,
    CONSTRAINT decision_proofs_salt_check CHECK ((length(salt) = 32))
);

--
-- Name: TABLE decision_proofs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.decision_proofs IS 'The salt of each logged decision. Deleted with its post and its account.';

--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.deliveries (
    webhook_id public.webhook_id NOT NULL,
    event_id public.event_id NOT NULL,
    type text NOT NULL,
    status public.delivery_status NOT NULL,
    queue public.delivery_queue NOT NULL,
    tries smallint DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    attempts jsonb DEFAULT '[]'::jsonb NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT pending_is_due CHECK (((status = 'pending'::public.delivery_status) = (due_at IS NOT NULL)))
)
WITH (autovacuum_vacuum_scale_factor='0.02');

--
-- Name: delivery_lanes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.delivery_lanes (
    webhook_id public.webhook_id NOT NULL,
    queue public.delivery_queue NOT NULL,
    due_at timestamp with time zone,
    paused_until timestamp with time zone,
    ready_at timestamp with time zone GENERATED ALWAYS AS (
CASE
    WHEN (due_at IS NOT NULL) THEN GREATEST(due_at, paused_until)
    ELSE NULL::timestamp with time zone
END) STORED,
    holder uuid,
    changes_seen integer DEFAULT 0 NOT NULL,
    freed_at timestamp with time zone
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0.01');

--
-- Name: delivery_workers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.delivery_workers (
    id uuid NOT NULL,
    alive_until timestamp with time zone NOT NULL
)
WITH (fillfactor='50');

--
-- Name: desk_claims; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.desk_claims (
    case_key text NOT NULL COLLATE pg_catalog."C",
    staff_id public.staff_id NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

--
-- Name: desk_skips; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.desk_skips (
    case_key text NOT NULL COLLATE pg_catalog."C",
    staff_id public.staff_id NOT NULL,
    until timestamp with time zone NOT NULL
);

--
-- Name: development_clock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.development_clock (
    only_row boolean DEFAULT true NOT NULL,
    offset_ms bigint NOT NULL,
    CONSTRAINT development_clock_only_row_check CHECK (only_row)
);

--
-- Name: draft_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.draft_links (
    token_hash bytea NOT NULL,
    account_id public.account_id NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT draft_links_token_hash_check CHECK ((length(token_hash) = 32))
);

--
-- Name: drafts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.drafts (
    id public.draft_id NOT NULL,
    account_id public.account_id NOT NULL,
    key_id public.key_id NOT NULL,
    kind text NOT NULL,
    content jsonb,
    total_micros public.micros NOT NULL,
    state public.draft_state NOT NULL,
    publish_at timestamp with time zone,
    approved_at timestamp with time zone,
    expires_at timestamp with time zone,
    told_at timestamp with time zone,
    post_id public.post_id,
    problem jsonb,
    created_at timestamp with time zone NOT NULL,
    decided_at timestamp with time zone,
    CONSTRAINT approval_can_expire CHECK (((state <> 'awaiting_approval'::public.draft_state) OR (expires_at IS NOT NULL))),
    CONSTRAINT drafts_kind_check CHECK ((kind ~ '^[a-z]{2,20}$'::text)),
    CONSTRAINT drafts_total_micros_check CHECK (((total_micros)::bigint > 0)),
    CONSTRAINT ended_has_a_date CHECK (((state = ANY (ARRAY['awaiting_approval'::public.draft_state, 'scheduled'::public.draft_state])) = (decided_at IS NULL))),
    CONSTRAINT ended_is_erased CHECK (((state = ANY (ARRAY['awaiting_approval'::public.draft_state, 'scheduled'::public.draft_state, 'failed'::public.draft_state])) OR (content IS NULL))),
    CONSTRAINT failed_has_a_problem CHECK (((state = 'failed'::public.draft_state) = (problem IS NOT NULL))),
    CONSTRAINT open_has_text CHECK (((state <> ALL (ARRAY['awaiting_approval'::public.draft_state, 'scheduled'::public.draft_state])) OR (content IS NOT NULL))),
    CONSTRAINT scheduled_has_a_time CHECK (((state <> 'scheduled'::public.draft_state) OR (COALESCE(publish_at, approved_at) IS NOT NULL))),
    CONSTRAINT submitted_has_a_post CHECK (((state = 'submitted'::public.draft_state) = (post_id IS NOT NULL)))
);

--
-- Name: TABLE drafts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.drafts IS 'Posts that wait for the owner or for their time. The text goes when the draft ends.';

--
-- Name: erasures; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.erasures (
    id bigint NOT NULL,
    kind text NOT NULL,
    subject text NOT NULL,
    category text,
    CONSTRAINT erasures_kind_check CHECK ((kind = ANY (ARRAY['account.closed'::text, 'post.deleted'::text, 'post.removed'::text, 'post.restored'::text, 'webhook.deleted'::text, 'key.revoked'::text, 'staff.disabled'::text, 'passkey.revoked'::text, 'draft.withdrawn'::text])))
);

--
-- Name: TABLE erasures; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.erasures IS 'Erasures that are not in the erasure log yet: identifiers and codes. A worker deletes a row once it is written there.';

--
-- Name: erasures_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.erasures ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.erasures_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: event_positions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.event_positions (
    account_id public.account_id NOT NULL,
    last bigint NOT NULL
)
WITH (fillfactor='50');

--
-- Name: events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.events (
    id public.event_id NOT NULL,
    account_id public.account_id NOT NULL,
    "position" bigint NOT NULL,
    type text NOT NULL,
    post_id public.post_id,
    data jsonb NOT NULL,
    at timestamp with time zone NOT NULL
);

--
-- Name: idempotent_answers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.idempotent_answers (
    account_id public.account_id NOT NULL,
    site text NOT NULL COLLATE pg_catalog."C",
    path text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    fingerprint bytea NOT NULL,
    status smallint NOT NULL,
    headers jsonb NOT NULL,
    body text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT idempotent_answers_fingerprint_check CHECK ((length(fingerprint) = 32)),
    CONSTRAINT idempotent_answers_key_check CHECK (((length(key) >= 8) AND (length(key) <= 128)))
);

--
-- Name: TABLE idempotent_answers; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.idempotent_answers IS 'Written in the transaction that charges, so an answer is here exactly when the charge is.';

--
-- Name: key_spending; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.key_spending (
    day date NOT NULL,
    key_id public.key_id NOT NULL,
    spent_micros public.micros NOT NULL,
    CONSTRAINT key_spending_spent_micros_check CHECK (((spent_micros)::bigint > 0))
);

--
-- Name: TABLE key_spending; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.key_spending IS 'Kept by the trigger keep_balance, and deleted when the day is over.';

--
-- Name: ledger_transfers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ledger_transfers (
    id public.transfer_id NOT NULL,
    account_id public.account_id,
    from_book public.ledger_book NOT NULL,
    to_book public.ledger_book NOT NULL,
    amount_micros public.micros NOT NULL,
    reason public.ledger_reason NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    part smallint DEFAULT 0 NOT NULL,
    entered_at timestamp with time zone NOT NULL,
    key_id public.key_id,
    CONSTRAINT ledger_transfers_amount_micros_check CHECK (((amount_micros)::bigint > 0)),
    CONSTRAINT ledger_transfers_check CHECK ((((from_book = ANY (ARRAY['prepaid'::public.ledger_book, 'owed'::public.ledger_book])) OR (to_book = ANY (ARRAY['prepaid'::public.ledger_book, 'owed'::public.ledger_book]))) = (account_id IS NOT NULL))),
    CONSTRAINT ledger_transfers_part_check CHECK ((part >= 0)),
    CONSTRAINT ledger_transfers_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 80))),
    CONSTRAINT transfer_goes_its_way CHECK (((((((((((((((((((((((((reason = 'post'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'revenue'::public.ledger_book)) OR ((reason = 'edit'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'revenue'::public.ledger_book))) OR ((reason = 'search'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'revenue'::public.ledger_book))) OR ((reason = 'refund'::public.ledger_reason) AND (from_book = 'refunds'::public.ledger_book) AND (to_book = 'prepaid'::public.ledger_book))) OR ((reason = 'review_return'::public.ledger_reason) AND (from_book = 'refunds'::public.ledger_book) AND (to_book = 'prepaid'::public.ledger_book))) OR ((reason = 'penalty'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'penalties'::public.ledger_book))) OR ((reason = 'penalty'::public.ledger_reason) AND (from_book = 'owed'::public.ledger_book) AND (to_book = 'penalties'::public.ledger_book))) OR ((reason = 'penalty_return'::public.ledger_reason) AND (from_book = 'penalties'::public.ledger_book) AND (to_book = 'owed'::public.ledger_book))) OR ((reason = 'penalty_return'::public.ledger_reason) AND (from_book = 'penalties'::public.ledger_book) AND (to_book = 'prepaid'::public.ledger_book))) OR ((reason = 'settlement'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'owed'::public.ledger_book))) OR ((reason = 'top_up'::public.ledger_reason) AND (from_book = 'provider_clearing'::public.ledger_book) AND (to_book = 'prepaid'::public.ledger_book))) OR ((reason = 'payout'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'provider_clearing'::public.ledger_book))) OR ((reason = 'payout'::public.ledger_reason) AND (from_book = 'owed'::public.ledger_book) AND (to_book = 'provider_clearing'::public.ledger_book))) OR ((reason = 'payout_return'::public.ledger_reason) AND (from_book = 'provider_clearing'::public.ledger_book) AND (to_book = 'owed'::public.ledger_book))) OR ((reason = 'payout_return'::public.ledger_reason) AND (from_book = 'provider_clearing'::public.ledger_book) AND (to_book = 'prepaid'::public.ledger_book))) OR ((reason = 'dispute'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'disputed'::public.ledger_book))) OR ((reason = 'dispute'::public.ledger_reason) AND (from_book = 'owed'::public.ledger_book) AND (to_book = 'disputed'::public.ledger_book))) OR ((reason = 'dispute_return'::public.ledger_reason) AND (from_book = 'disputed'::public.ledger_book) AND (to_book = 'owed'::public.ledger_book))) OR ((reason = 'dispute_return'::public.ledger_reason) AND (from_book = 'disputed'::public.ledger_book) AND (to_book = 'prepaid'::public.ledger_book))) OR ((reason = 'dispute_loss'::public.ledger_reason) AND (from_book = 'disputed'::public.ledger_book) AND (to_book = 'provider_clearing'::public.ledger_book))) OR ((reason = 'dispute_loss'::public.ledger_reason) AND (from_book = 'provider_clearing'::public.ledger_book) AND (to_book = 'disputed'::public.ledger_book))) OR ((reason = 'credit'::public.ledger_reason) AND (from_book = 'operator_credit'::public.ledger_book) AND (to_book = 'prepaid'::public.ledger_book))) OR ((reason = 'debit'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'operator_credit'::public.ledger_book))))
);

--
-- Name: TABLE ledger_transfers; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.ledger_transfers IS 'Append-only. One row is one transfer with both its sides, so the books always sum to zero.';

--
-- Name: ledger_entries; Type: VIEW; Schema: public; Owner: -
--

CREATE VIEW public.ledger_entries WITH (security_invoker='true') AS
 SELECT ledger_transfers.id AS transfer_id,
    ledger_transfers.account_id,
    ledger_transfers.to_book AS book,
    ledger_transfers.amount_micros,
    ledger_transfers.reason,
    ledger_transfers.subject,
    ledger_transfers.entered_at
   FROM public.ledger_transfers
UNION ALL
 SELECT ledger_transfers.id AS transfer_id,
    ledger_transfers.account_id,
    ledger_transfers.from_book AS book,
    (- (ledger_transfers.amount_micros)::bigint) AS amount_micros,
    ledger_transfers.reason,
    ledger_transfers.subject,
    ledger_transfers.entered_at
   FROM public.ledger_transfers;

--
-- Name: listing_pages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.listing_pages (
    kind text NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    listed integer NOT NULL,
    version bigint NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    CONSTRAINT listing_pages_listed_check CHECK ((listed >= 0)),
    CONSTRAINT listing_pages_number_check CHECK ((number > 0))
);

--
-- Name: TABLE listing_pages; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.listing_pages IS 'The full pages of each list, from the oldest, and how many of their posts are listed.';

--
-- Name: log_audit_heads; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log_audit_heads (
    log smallint DEFAULT public.current_log() NOT NULL,
    entry_index bigint NOT NULL,
    "position" bigint NOT NULL,
    hash bytea NOT NULL,
    salt bytea NOT NULL,
    CONSTRAINT log_audit_heads_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT log_audit_heads_salt_check CHECK ((length(salt) = 32))
);

--
-- Name: TABLE log_audit_heads; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.log_audit_heads IS 'The heads of the audit log that are in the transparency log, with the salts for an auditor.';

--
-- Name: log_checkpoints; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log_checkpoints (
    log smallint DEFAULT public.current_log() NOT NULL,
    size bigint NOT NULL,
    note text NOT NULL,
    published boolean DEFAULT false NOT NULL,
    CONSTRAINT log_checkpoints_note_check CHECK ((length(note) <= 8000)),
    CONSTRAINT log_checkpoints_size_check CHECK ((size > 0))
);

--
-- Name: TABLE log_checkpoints; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.log_checkpoints IS 'Every checkpoint of the transparency log, signed.';

--
-- Name: log_entries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log_entries (
    log smallint DEFAULT public.current_log() NOT NULL,
    index bigint NOT NULL,
    entry text NOT NULL,
    CONSTRAINT log_entries_entry_check CHECK ((length(entry) <= 200)),
    CONSTRAINT log_entries_index_check CHECK ((index >= 0))
);

--
-- Name: TABLE log_entries; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.log_entries IS 'The entries of the transparency log: salted hashes and public facts.';

--
-- Name: log_head; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log_head (
    is_only boolean DEFAULT true NOT NULL,
    number smallint DEFAULT 1 NOT NULL,
    origin text NOT NULL,
    verifier_key text NOT NULL,
    first_queue_id bigint DEFAULT 0 NOT NULL,
    size bigint DEFAULT 0 NOT NULL,
    root bytea NOT NULL,
    edge bytea[] DEFAULT '{}'::bytea[] NOT NULL,
    published_size bigint DEFAULT 0 NOT NULL,
    audit_position bigint DEFAULT 0 NOT NULL,
    audit_noted_at timestamp with time zone,
    stopped_reason text,
    stopped_at timestamp with time zone,
    files_lost boolean DEFAULT false NOT NULL,
    proofs_through bigint DEFAULT 0 NOT NULL,
    CONSTRAINT log_head_check CHECK (((published_size >= 0) AND (published_size <= size))),
    CONSTRAINT log_head_is_only_check CHECK (is_only),
    CONSTRAINT log_head_number_check CHECK ((number > 0)),
    CONSTRAINT log_head_origin_check CHECK ((origin ~ '^[^\s+]{1,200}$'::text)),
    CONSTRAINT log_head_proofs_through_check CHECK ((proofs_through >= 0)),
    CONSTRAINT log_head_root_check CHECK ((length(root) = 32)),
    CONSTRAINT log_head_size_check CHECK ((size >= 0)),
    CONSTRAINT log_head_stopped_reason_check CHECK ((stopped_reason = ANY (ARRAY['forked'::text, 'database_behind'::text, 'files_differ'::text, 'files_missing'::text, 'unreadable'::text]))),
    CONSTRAINT stopped_as_a_whole CHECK (((stopped_reason IS NULL) = (stopped_at IS NULL)))
);

--
-- Name: TABLE log_head; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.log_head IS 'The state of the open transparency log. One row.';

--
-- Name: log_queue; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log_queue (
    id bigint NOT NULL,
    type text NOT NULL,
    commitment bytea,
    removes_queued bigint,
    removes_index bigint,
    entry_index bigint,
    taken_up_at timestamp with time zone,
    CONSTRAINT commits_or_removes CHECK ((((type = 'removed'::text) = (commitment IS NULL)) AND ((type = 'removed'::text) = (num_nonnulls(removes_queued, removes_index) = 1)))),
    CONSTRAINT log_queue_commitment_check CHECK ((length(commitment) = 32)),
    CONSTRAINT log_queue_type_check CHECK ((type = ANY (ARRAY['post'::text, 'edit'::text, 'decision'::text, 'removed'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.02');

--
-- Name: TABLE log_queue; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.log_queue IS 'Entries that wait for the transparency log, and those that it took up within a day. Hashes only.';

--
-- Name: log_queue_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.log_queue ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.log_queue_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: log_tile_hashes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.log_tile_hashes (
    log smallint DEFAULT public.current_log() NOT NULL,
    level smallint NOT NULL,
    index bigint NOT NULL,
    hash bytea NOT NULL,
    CONSTRAINT log_tile_hashes_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT log_tile_hashes_index_check CHECK ((index >= 0)),
    CONSTRAINT log_tile_hashes_level_check CHECK (((level >= 1) AND (level <= 7)))
);

--
-- Name: TABLE log_tile_hashes; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.log_tile_hashes IS 'Hashes of full tiles of the transparency log.';

--
-- Name: mailbox_codes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.mailbox_codes (
    id bigint NOT NULL,
    asked_by bytea NOT NULL,
    email text NOT NULL,
    sealed bytea,
    key_id text NOT NULL,
    tries smallint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    proven_at timestamp with time zone,
    CONSTRAINT mailbox_codes_asked_by_check CHECK ((length(asked_by) = 32)),
    CONSTRAINT mailbox_codes_tries_check CHECK (((tries >= 0) AND (tries <= 5)))
);

--
-- Name: mailbox_codes_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.mailbox_codes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.mailbox_codes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: model_status; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.model_status (
    only_row boolean DEFAULT true NOT NULL,
    state public.model_state NOT NULL,
    since timestamp with time zone NOT NULL,
    busy_at timestamp with time zone NOT NULL,
    faults integer DEFAULT 0 NOT NULL,
    planned_start_seconds double precision NOT NULL,
    start_seconds double precision,
    decision_seconds double precision,
    windows_per_second double precision,
    long_windows_per_second double precision,
    long_decision_seconds double precision,
    CONSTRAINT model_status_only_row_check CHECK (only_row)
);

--
-- Name: moderation_days; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.moderation_days (
    day date NOT NULL,
    kind text NOT NULL,
    counts jsonb NOT NULL,
    CONSTRAINT moderation_days_counts_check CHECK ((jsonb_typeof(counts) = 'object'::text))
);

--
-- Name: TABLE moderation_days; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.moderation_days IS 'Append-only. Numbers alone: no post, no account and no person is named.';

--
-- Name: moderation_decisions_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.moderation_decisions ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.moderation_decisions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: oauth_access_tokens; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_access_tokens (
    hash bytea NOT NULL,
    session_id uuid NOT NULL,
    scopes text[] NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT oauth_access_tokens_hash_check CHECK ((length(hash) = 32))
);

--
-- Name: oauth_clients; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_clients (
    id text NOT NULL,
    name text NOT NULL,
    redirect_uris text[] NOT NULL,
    grant_types text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT oauth_clients_id_check CHECK (((length(id) >= 8) AND (length(id) <= 2048)))
);

--
-- Name: oauth_requests; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_requests (
    id text NOT NULL,
    client_id text NOT NULL,
    client_name text NOT NULL,
    client_host text NOT NULL,
    redirect_uri text,
    state text,
    code_challenge text,
    scopes text[] NOT NULL,
    resource text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    device_hash bytea,
    user_code_hash bytea,
    polled_at timestamp with time zone,
    poll_seconds integer DEFAULT 5 NOT NULL,
    decided_at timestamp with time zone,
    key_id public.key_id,
    granted_scopes text[],
    code_hash bytea,
    code_expires_at timestamp with time zone,
    session_id uuid,
    CONSTRAINT a_redirect_or_a_device CHECK ((((redirect_uri IS NULL) = (device_hash IS NOT NULL)) AND ((redirect_uri IS NULL) = (code_challenge IS NULL)))),
    CONSTRAINT consent_before_code CHECK (((code_hash IS NULL) OR ((key_id IS NOT NULL) AND (decided_at IS NOT NULL)))),
    CONSTRAINT consent_before_session CHECK (((session_id IS NULL) OR ((key_id IS NOT NULL) AND (decided_at IS NOT NULL)))),
    CONSTRAINT oauth_requests_code_challenge_check CHECK ((length(code_challenge) = 43)),
    CONSTRAINT oauth_requests_code_hash_check CHECK ((length(code_hash) = 32)),
    CONSTRAINT oauth_requests_device_hash_check CHECK ((length(device_hash) = 32)),
    CONSTRAINT oauth_requests_id_check CHECK ((length(id) = 43)),
    CONSTRAINT oauth_requests_state_check CHECK ((length(state) <= 2048)),
    CONSTRAINT oauth_requests_user_code_hash_check CHECK ((length(user_code_hash) = 32))
);

--
-- Name: oauth_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.oauth_sessions (
    id uuid NOT NULL,
    key_id public.key_id NOT NULL,
    client_id text NOT NULL,
    scopes text[] NOT NULL,
    resource text NOT NULL,
    refresh_hash bytea NOT NULL,
    created_at timestamp with time zone NOT NULL,
    refreshed_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT oauth_sessions_refresh_hash_check CHECK ((length(refresh_hash) = 32))
);

--
-- Name: open_cases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.open_cases (
    case_key text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    post_id public.post_id NOT NULL,
    edit smallint NOT NULL,
    account_id public.account_id NOT NULL,
    site text NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    since timestamp with time zone NOT NULL,
    has_deadline boolean NOT NULL,
    categories text[] NOT NULL,
    harm smallint NOT NULL,
    reports integer NOT NULL,
    version text NOT NULL,
    audited text
);

--
-- Name: TABLE open_cases; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.open_cases IS 'The rows of case_definition. Kept by triggers, which call refresh_cases.';

--
-- Name: owner_codes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.owner_codes (
    id bigint NOT NULL,
    account_id public.account_id NOT NULL,
    purpose text NOT NULL,
    asked_by bytea NOT NULL,
    email text NOT NULL,
    email_before text,
    sealed bytea,
    key_id text NOT NULL,
    tries smallint DEFAULT 0 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    by_mailed_link boolean DEFAULT false NOT NULL,
    CONSTRAINT owner_codes_asked_by_check CHECK ((length(asked_by) = 32)),
    CONSTRAINT owner_codes_purpose_check CHECK ((purpose = ANY (ARRAY['sign_in'::text, 'change_email'::text]))),
    CONSTRAINT owner_codes_tries_check CHECK (((tries >= 0) AND (tries <= 5)))
);

--
-- Name: owner_codes_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.owner_codes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.owner_codes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: owner_link_mails; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.owner_link_mails (
    id bigint NOT NULL,
    email text NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    mailed_at timestamp with time zone
);

--
-- Name: owner_link_mails_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.owner_link_mails ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.owner_link_mails_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: owner_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.owner_links (
    token_hash bytea NOT NULL,
    account_id public.account_id NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    mailed boolean DEFAULT false NOT NULL,
    CONSTRAINT owner_links_token_hash_check CHECK ((length(token_hash) = 32))
);

--
-- Name: owner_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.owner_sessions (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    account_id public.account_id NOT NULL,
    browser text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT owner_sessions_token_hash_check CHECK ((length(token_hash) = 32))
);

--
-- Name: owner_visits; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.owner_visits (
    token_hash bytea NOT NULL,
    account_id public.account_id NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    by_mailed_link boolean DEFAULT false NOT NULL,
    CONSTRAINT owner_visits_token_hash_check CHECK ((length(token_hash) = 32))
);

--
-- Name: page_versions; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.page_versions
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

--
-- Name: passkeys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.passkeys (
    id text NOT NULL COLLATE pg_catalog."C",
    staff_id public.staff_id NOT NULL,
    public_key bytea NOT NULL,
    sign_count bigint NOT NULL,
    transports text[] DEFAULT '{}'::text[] NOT NULL,
    label text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone
);

--
-- Name: payment_customers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.payment_customers (
    account_id public.account_id NOT NULL,
    customer text NOT NULL COLLATE pg_catalog."C",
    card text COLLATE pg_catalog."C",
    card_brand text,
    card_last4 text,
    card_expires text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT payment_customers_card_expires_check CHECK ((card_expires ~ '^[0-9]{4}-[0-9]{2}$'::text)),
    CONSTRAINT payment_customers_card_last4_check CHECK ((card_last4 ~ '^[0-9]{4}$'::text))
);

--
-- Name: payment_disputes; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.payment_disputes (
    reference text NOT NULL COLLATE pg_catalog."C",
    payment_id public.payment_id NOT NULL,
    amount_micros public.micros NOT NULL,
    status public.dispute_status NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    closed_at timestamp with time zone,
    CONSTRAINT payment_disputes_amount_micros_check CHECK (((amount_micros)::bigint > 0))
);

--
-- Name: payment_refunds; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.payment_refunds (
    id public.refund_id NOT NULL,
    payment_id public.payment_id NOT NULL,
    amount_micros public.micros NOT NULL,
    status public.payment_refund_status DEFAULT 'asked'::public.payment_refund_status NOT NULL,
    reference text COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    CONSTRAINT payment_refunds_amount_micros_check CHECK (((amount_micros)::bigint > 0))
);

--
-- Name: payments; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.payments (
    id public.payment_id NOT NULL,
    account_id public.account_id NOT NULL,
    cause public.payment_cause NOT NULL,
    provider text NOT NULL,
    amount_micros public.micros NOT NULL,
    status public.payment_status DEFAULT 'started'::public.payment_status NOT NULL,
    reference text COLLATE pg_catalog."C",
    intent text COLLATE pg_catalog."C",
    failure text,
    created_at timestamp with time zone NOT NULL,
    settled_at timestamp with time zone,
    CONSTRAINT payments_amount_micros_check CHECK (((amount_micros)::bigint > 0)),
    CONSTRAINT payments_provider_check CHECK ((provider = ANY (ARRAY['stripe'::text, 'manual'::text]))),
    CONSTRAINT settled_with_an_end CHECK (((status = 'started'::public.payment_status) = (settled_at IS NULL)))
);

--
-- Name: post_proofs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.post_proofs (
    post_id public.post_id NOT NULL,
    key_id text NOT NULL,
    signed_at timestamp with time zone NOT NULL,
    signature bytea NOT NULL,
    salt bytea NOT NULL,
    queue_id bigint NOT NULL,
    entry_index bigint,
    CONSTRAINT post_proofs_salt_check CHECK ((length(salt) = 32)),
    CONSTRAINT post_proofs_signature_check CHECK ((length(signature) = 64))
);

--
-- Name: TABLE post_proofs; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.post_proofs IS 'The signature of each public post, and the salt of its entry in the transparency log.';

--
-- Name: provider_events; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.provider_events (
    id text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    CONSTRAINT provider_events_id_check CHECK (((length(id) >= 1) AND (length(id) <= 255)))
);

--
-- Name: publications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.publications (
    post_id public.post_id NOT NULL,
    kind text NOT NULL,
    month text NOT NULL COLLATE pg_catalog."C",
    number integer NOT NULL,
    version bigint NOT NULL,
    CONSTRAINT publications_month_check CHECK ((month ~ '^\d{4}-\d{2}$'::text)),
    CONSTRAINT publications_number_check CHECK ((number > 0))
);

--
-- Name: TABLE publications; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.publications IS 'The place of every post in the archive of its site.';

--
-- Name: published_before; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.published_before (
    account_id public.account_id NOT NULL,
    subject text NOT NULL COLLATE pg_catalog."C",
    post_id public.post_id NOT NULL,
    CONSTRAINT published_before_subject_check CHECK ((subject ~ '^(kind:[a-z]{2,20}|domain:[A-Za-z0-9_-]{43})$'::text))
);

--
-- Name: reader_messages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reader_messages (
    id public.relay_id NOT NULL,
    post_id public.post_id NOT NULL,
    to_account public.account_id NOT NULL,
    sender_name text NOT NULL,
    sender_email text NOT NULL,
    sender_mailbox text NOT NULL,
    message text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    token_hash bytea,
    expires_at timestamp with time zone NOT NULL,
    confirmed_at timestamp with time zone,
    CONSTRAINT a_link_works_once CHECK (((confirmed_at IS NULL) OR (token_hash IS NULL))),
    CONSTRAINT reader_messages_token_hash_check CHECK ((length(token_hash) = 32))
);

--
-- Name: relayed_messages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.relayed_messages (
    id public.relay_id NOT NULL,
    post_id public.post_id NOT NULL,
    from_account public.account_id NOT NULL,
    to_account public.account_id NOT NULL,
    message text,
    created_at timestamp with time zone NOT NULL,
    sent_at timestamp with time zone,
    CONSTRAINT no_text_once_sent CHECK (((sent_at IS NULL) OR (message IS NULL)))
);

--
-- Name: replica_beats; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.replica_beats (
    reader uuid NOT NULL,
    at timestamp with time zone NOT NULL
)
WITH (fillfactor='50');

--
-- Name: TABLE replica_beats; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.replica_beats IS 'Each process that reads from a replica writes the time here, to see when it arrives there.';

--
-- Name: review_mails; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.review_mails (
    account_id public.account_id NOT NULL,
    about text NOT NULL,
    sent_at timestamp with time zone NOT NULL,
    CONSTRAINT review_mails_about_check CHECK ((about = ANY (ARRAY['waiting'::text, 'decided'::text])))
);

--
-- Name: review_pace; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.review_pace (
    only_row boolean DEFAULT true NOT NULL,
    expected_seconds integer NOT NULL,
    fee_return_seconds integer NOT NULL,
    usual_seconds double precision,
    decided_per_hour double precision,
    CONSTRAINT review_pace_only_row_check CHECK (only_row)
);

--
-- Name: reviews; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.reviews (
    post_id public.post_id NOT NULL,
    edit smallint DEFAULT 0 NOT NULL,
    account_id public.account_id NOT NULL,
    reason public.review_reason NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    waits boolean DEFAULT true NOT NULL,
    fee_returned_at timestamp with time zone,
    decided_at timestamp with time zone,
    outcome public.decision_outcome,
    told_waiting_at timestamp with time zone,
    told_decided_at timestamp with time zone,
    CONSTRAINT decided_with_an_outcome CHECK (((decided_at IS NULL) = (outcome IS NULL))),
    CONSTRAINT reviews_outcome_check CHECK ((outcome = ANY (ARRAY['publish'::public.decision_outcome, 'low_quality'::public.decision_outcome, 'abuse'::public.decision_outcome])))
);

--
-- Name: TABLE reviews; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.reviews IS 'Posts and edits that wait or waited for a person. No user text.';

--
-- Name: schema_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone NOT NULL
);

--
-- Name: search_entries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.search_entries (
    post_id public.post_id NOT NULL,
    published_at timestamp with time zone NOT NULL,
    visible_until timestamp with time zone,
    facets text[] NOT NULL,
    language text,
    words tsvector NOT NULL,
    pairs integer[] NOT NULL
);
ALTER TABLE ONLY public.search_entries ALTER COLUMN facets SET STATISTICS 1000;
ALTER TABLE ONLY public.search_entries ALTER COLUMN words SET STATISTICS 1000;

--
-- Name: shelf_entries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.shelf_entries (
    post_id public.post_id NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL,
    published_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone,
    listed boolean NOT NULL,
    number integer,
    CONSTRAINT shelf_entries_number_check CHECK ((number > 0))
);

--
-- Name: TABLE shelf_entries; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.shelf_entries IS 'Which published post stands in which list.';

--
-- Name: COLUMN shelf_entries.number; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.shelf_entries.number IS 'The position in the list, from the oldest. It never changes. Null if a program listed the post that does not know of numbers.';

--
-- Name: shelves; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.shelves (
    kind text NOT NULL,
    path text NOT NULL COLLATE pg_catalog."C",
    parent text GENERATED ALWAYS AS (regexp_replace(path, '/?[^/]*$'::text, ''::text)) STORED NOT NULL COLLATE pg_catalog."C",
    listed integer NOT NULL,
    standing integer NOT NULL,
    version bigint NOT NULL,
    emptied_at timestamp with time zone,
    last_number integer DEFAULT 0 NOT NULL,
    CONSTRAINT shelves_check CHECK ((standing >= listed)),
    CONSTRAINT shelves_last_number_check CHECK ((last_number >= 0)),
    CONSTRAINT shelves_listed_check CHECK ((listed >= 0))
)
WITH (fillfactor='50');

--
-- Name: TABLE shelves; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.shelves IS 'The lists of each site, and how many posts stand in them.';

--
-- Name: COLUMN shelves.last_number; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.shelves.last_number IS 'The number of the entry that joined last.';

--
-- Name: signing_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.signing_keys (
    key_id text NOT NULL,
    public_key bytea NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    valid_until timestamp with time zone,
    CONSTRAINT signing_keys_check CHECK ((valid_until > valid_from)),
    CONSTRAINT signing_keys_key_id_check CHECK ((key_id ~ '^[A-Za-z0-9_-]{43}$'::text)),
    CONSTRAINT signing_keys_public_key_check CHECK ((length(public_key) = 32))
);

--
-- Name: TABLE signing_keys; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.signing_keys IS 'Public keys for signatures of posts. Published at /.well-known/broadside-keys.json.';

--
-- Name: spent_challenges; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.spent_challenges (
    challenge_hash bytea NOT NULL,
    spent_at timestamp with time zone NOT NULL,
    CONSTRAINT spent_challenges_challenge_hash_check CHECK ((length(challenge_hash) = 32))
);

--
-- Name: staff; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.staff (
    id public.staff_id NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    role public.staff_role NOT NULL,
    invited_at timestamp with time zone NOT NULL,
    disabled_at timestamp with time zone,
    CONSTRAINT staff_name_check CHECK (((length(name) >= 1) AND (length(name) <= 80)))
);

--
-- Name: staff_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.staff_links (
    id bigint NOT NULL,
    staff_id public.staff_id NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    token_hash bytea,
    expires_at timestamp with time zone,
    used_at timestamp with time zone,
    CONSTRAINT staff_links_token_hash_check CHECK ((length(token_hash) = 32))
);

--
-- Name: staff_links_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.staff_links ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.staff_links_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: staff_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.staff_sessions (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    staff_id public.staff_id NOT NULL,
    passkey_id text NOT NULL,
    browser text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_seen_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    CONSTRAINT staff_sessions_token_hash_check CHECK ((length(token_hash) = 32))
);

--
-- Name: stream_entries; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.stream_entries (
    id bigint NOT NULL,
    kind text NOT NULL,
    post_id public.post_id NOT NULL,
    type text NOT NULL,
    "position" bigint,
    token integer,
    numbered_at timestamp with time zone,
    CONSTRAINT numbered_as_a_whole CHECK (((("position" IS NULL) = (token IS NULL)) AND (("position" IS NULL) = (numbered_at IS NULL)))),
    CONSTRAINT stream_entries_kind_check CHECK ((kind ~ '^[a-z]{2,20}$'::text)),
    CONSTRAINT stream_entries_position_check CHECK (("position" > 0)),
    CONSTRAINT stream_entries_type_check CHECK ((type = ANY (ARRAY['post.published'::text, 'post.edited'::text, 'post.removed'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.02');

--
-- Name: TABLE stream_entries; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.stream_entries IS 'The log of GET /v1/stream: which public post appeared, changed or went, for a day.';

--
-- Name: stream_entries_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

ALTER TABLE public.stream_entries ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.stream_entries_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

--
-- Name: unlisted_posts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.unlisted_posts (
    post_id public.post_id NOT NULL,
    kind text NOT NULL,
    version bigint NOT NULL
);

--
-- Name: TABLE unlisted_posts; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.unlisted_posts IS 'Posts with files that no job has listed yet.';

--
-- Name: webhook_secrets; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhook_secrets (
    webhook_id public.webhook_id NOT NULL,
    number integer NOT NULL,
    sealed bytea NOT NULL,
    key_id text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    retires_at timestamp with time zone
);

--
-- Name: webhooks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.webhooks (
    id public.webhook_id NOT NULL,
    account_id public.account_id NOT NULL,
    slot smallint NOT NULL,
    url text NOT NULL,
    events text[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    changes integer DEFAULT 0 NOT NULL,
    disabled_at timestamp with time zone,
    disabled_because public.webhook_end,
    failing_since timestamp with time zone,
    timeouts integer DEFAULT 0 NOT NULL,
    proven_at timestamp with time zone,
    CONSTRAINT disabled_for_a_reason CHECK (((disabled_at IS NULL) = (disabled_because IS NULL))),
    CONSTRAINT webhooks_events_check CHECK ((cardinality(events) > 0)),
    CONSTRAINT webhooks_slot_check CHECK (((slot >= 1) AND (slot <= 5)))
);

--
-- Name: withdrawals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.withdrawals (
    post_id public.post_id NOT NULL,
    kind text NOT NULL,
    withdrawn_at timestamp with time zone NOT NULL,
    shelves text[] NOT NULL,
    occasion jsonb
);

--
-- Name: TABLE withdrawals; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON TABLE public.withdrawals IS 'Posts taken down in the last 30 days. Older rows are forgotten.';

--
-- Name: job_common; Type: TABLE ATTACH; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job ATTACH PARTITION pgboss.job_common DEFAULT;

--
-- Name: bam bam_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.bam
    ADD CONSTRAINT bam_pkey PRIMARY KEY (id);

--
-- Name: job job_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (name, id);

--
-- Name: job_common job_common_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT job_common_pkey PRIMARY KEY (name, id);

--
-- Name: job_dependency job_dependency_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job_dependency
    ADD CONSTRAINT job_dependency_pkey PRIMARY KEY (child_name, child_id, parent_name, parent_id);

--
-- Name: queue queue_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_pkey PRIMARY KEY (name);

--
-- Name: queue_stats queue_stats_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue_stats
    ADD CONSTRAINT queue_stats_pkey PRIMARY KEY (id, captured_on);

--
-- Name: schedule schedule_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_pkey PRIMARY KEY (name, key);

--
-- Name: subscription subscription_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_pkey PRIMARY KEY (event, name);

--
-- Name: version version_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.version
    ADD CONSTRAINT version_pkey PRIMARY KEY (version);

--
-- Name: warning warning_pkey; Type: CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.warning
    ADD CONSTRAINT warning_pkey PRIMARY KEY (id);

--
-- Name: abuse_refusals abuse_refusals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.abuse_refusals
    ADD CONSTRAINT abuse_refusals_pkey PRIMARY KEY (post_id, edit);

--
-- Name: accounts accounts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.accounts
    ADD CONSTRAINT accounts_pkey PRIMARY KEY (id);

--
-- Name: allowance_uses allowance_uses_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.allowance_uses
    ADD CONSTRAINT allowance_uses_pkey PRIMARY KEY (day, allowance, subject);

--
-- Name: idempotent_answers answered_once; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.idempotent_answers
    ADD CONSTRAINT answered_once PRIMARY KEY (account_id, site, path, key);

--
-- Name: api_keys api_keys_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

--
-- Name: appeals appealed_once; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.appeals
    ADD CONSTRAINT appealed_once PRIMARY KEY (post_id, edit);

--
-- Name: applied_migrations applied_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.applied_migrations
    ADD CONSTRAINT applied_migrations_pkey PRIMARY KEY (version);

--
-- Name: audit_chain audit_chain_audit_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain_audit_id_key UNIQUE (audit_id);

--
-- Name: audit_chain audit_chain_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_chain
    ADD CONSTRAINT audit_chain_pkey PRIMARY KEY ("position");

--
-- Name: audit_head audit_head_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (is_only);

--
-- Name: audit_log audit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

--
-- Name: audit_samples audit_samples_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_samples
    ADD CONSTRAINT audit_samples_pkey PRIMARY KEY (decision_id);

--
-- Name: balances balances_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_pkey PRIMARY KEY (account_id);

--
-- Name: cdn_purges cdn_purges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.cdn_purges
    ADD CONSTRAINT cdn_purges_pkey PRIMARY KEY (id);

--
-- Name: closed_logs closed_logs_origin_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.closed_logs
    ADD CONSTRAINT closed_logs_origin_key UNIQUE (origin);

--
-- Name: closed_logs closed_logs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.closed_logs
    ADD CONSTRAINT closed_logs_pkey PRIMARY KEY (number);

--
-- Name: counted_days counted_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.counted_days
    ADD CONSTRAINT counted_days_pkey PRIMARY KEY (day);

--
-- Name: decision_proofs decision_proofs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.decision_proofs
    ADD CONSTRAINT decision_proofs_pkey PRIMARY KEY (decision_id);

--
-- Name: decision_proofs decision_proofs_queue_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.decision_proofs
    ADD CONSTRAINT decision_proofs_queue_id_key UNIQUE (queue_id);

--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (webhook_id, event_id);

--
-- Name: delivery_lanes delivery_lanes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delivery_lanes
    ADD CONSTRAINT delivery_lanes_pkey PRIMARY KEY (webhook_id, queue);

--
-- Name: delivery_workers delivery_workers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delivery_workers
    ADD CONSTRAINT delivery_workers_pkey PRIMARY KEY (id);

--
-- Name: desk_claims desk_claims_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.desk_claims
    ADD CONSTRAINT desk_claims_pkey PRIMARY KEY (case_key);

--
-- Name: desk_decisions desk_decisions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.desk_decisions
    ADD CONSTRAINT desk_decisions_pkey PRIMARY KEY (case_key);

--
-- Name: desk_skips desk_skips_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.desk_skips
    ADD CONSTRAINT desk_skips_pkey PRIMARY KEY (case_key, staff_id);

--
-- Name: development_clock development_clock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.development_clock
    ADD CONSTRAINT development_clock_pkey PRIMARY KEY (only_row);

--
-- Name: draft_links draft_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.draft_links
    ADD CONSTRAINT draft_links_pkey PRIMARY KEY (token_hash);

--
-- Name: drafts drafts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_pkey PRIMARY KEY (id);

--
-- Name: drafts drafts_post_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.drafts
    ADD CONSTRAINT drafts_post_id_key UNIQUE (post_id);

--
-- Name: erasures erasures_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (id);

--
-- Name: event_positions event_positions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.event_positions
    ADD CONSTRAINT event_positions_pkey PRIMARY KEY (account_id);

--
-- Name: events events_in_order; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_in_order UNIQUE (account_id, "position");

--
-- Name: events events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.events
    ADD CONSTRAINT events_pkey PRIMARY KEY (id);

--
-- Name: key_spending key_spending_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.key_spending
    ADD CONSTRAINT key_spending_pkey PRIMARY KEY (day, key_id);

--
-- Name: ledger_transfers ledger_transfers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_transfers
    ADD CONSTRAINT ledger_transfers_pkey PRIMARY KEY (id);

--
-- Name: listing_pages listing_pages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listing_pages
    ADD CONSTRAINT listing_pages_pkey PRIMARY KEY (kind, path, number);

--
-- Name: log_audit_heads log_audit_heads_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log_audit_heads
    ADD CONSTRAINT log_audit_heads_pkey PRIMARY KEY (log, entry_index);

--
-- Name: log_checkpoints log_checkpoints_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log_checkpoints
    ADD CONSTRAINT log_checkpoints_pkey PRIMARY KEY (log, size);

--
-- Name: log_entries log_entries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log_entries
    ADD CONSTRAINT log_entries_pkey PRIMARY KEY (log, index);

--
-- Name: log_head log_head_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log_head
    ADD CONSTRAINT log_head_pkey PRIMARY KEY (is_only);

--
-- Name: log_queue log_queue_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log_queue
    ADD CONSTRAINT log_queue_pkey PRIMARY KEY (id);

--
-- Name: log_tile_hashes log_tile_hashes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.log_tile_hashes
    ADD CONSTRAINT log_tile_hashes_pkey PRIMARY KEY (log, level, index);

--
-- Name: mailbox_codes mailbox_codes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.mailbox_codes
    ADD CONSTRAINT mailbox_codes_pkey PRIMARY KEY (id);

--
-- Name: model_status model_status_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.model_status
    ADD CONSTRAINT model_status_pkey PRIMARY KEY (only_row);

--
-- Name: moderation_days moderation_days_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.moderation_days
    ADD CONSTRAINT moderation_days_pkey PRIMARY KEY (kind, day);

--
-- Name: moderation_decisions moderation_decisions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.moderation_decisions
    ADD CONSTRAINT moderation_decisions_pkey PRIMARY KEY (id);

--
-- Name: oauth_access_tokens oauth_access_tokens_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_access_tokens
    ADD CONSTRAINT oauth_access_tokens_pkey PRIMARY KEY (hash);

--
-- Name: oauth_clients oauth_clients_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_clients
    ADD CONSTRAINT oauth_clients_pkey PRIMARY KEY (id);

--
-- Name: oauth_requests oauth_requests_code_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_code_hash_key UNIQUE (code_hash);

--
-- Name: oauth_requests oauth_requests_device_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_device_hash_key UNIQUE (device_hash);

--
-- Name: oauth_requests oauth_requests_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_pkey PRIMARY KEY (id);

--
-- Name: oauth_requests oauth_requests_user_code_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_user_code_hash_key UNIQUE (user_code_hash);

--
-- Name: oauth_sessions oauth_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_sessions
    ADD CONSTRAINT oauth_sessions_pkey PRIMARY KEY (id);

--
-- Name: open_cases open_cases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.open_cases
    ADD CONSTRAINT open_cases_pkey PRIMARY KEY (case_key);

--
-- Name: owner_codes owner_codes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owner_codes
    ADD CONSTRAINT owner_codes_pkey PRIMARY KEY (id);

--
-- Name: owner_link_mails owner_link_mails_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owner_link_mails
    ADD CONSTRAINT owner_link_mails_pkey PRIMARY KEY (id);

--
-- Name: owner_links owner_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owner_links
    ADD CONSTRAINT owner_links_pkey PRIMARY KEY (token_hash);

--
-- Name: owner_sessions owner_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owner_sessions
    ADD CONSTRAINT owner_sessions_pkey PRIMARY KEY (id);

--
-- Name: owner_sessions owner_sessions_token_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owner_sessions
    ADD CONSTRAINT owner_sessions_token_hash_key UNIQUE (token_hash);

--
-- Name: owner_visits owner_visits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owner_visits
    ADD CONSTRAINT owner_visits_pkey PRIMARY KEY (token_hash);

--
-- Name: passkeys passkeys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_pkey PRIMARY KEY (id);

--
-- Name: payment_customers payment_customers_customer_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payment_customers
    ADD CONSTRAINT payment_customers_customer_key UNIQUE (customer);

--
-- Name: payment_customers payment_customers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payment_customers
    ADD CONSTRAINT payment_customers_pkey PRIMARY KEY (account_id);

--
-- Name: payment_disputes payment_disputes_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payment_disputes
    ADD CONSTRAINT payment_disputes_pkey PRIMARY KEY (reference);

--
-- Name: payment_refunds payment_refunds_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payment_refunds
    ADD CONSTRAINT payment_refunds_pkey PRIMARY KEY (id);

--
-- Name: payment_refunds payment_refunds_reference_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payment_refunds
    ADD CONSTRAINT payment_refunds_reference_key UNIQUE (reference);

--
-- Name: payments payments_intent_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_intent_key UNIQUE (intent);

--
-- Name: payments payments_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_pkey PRIMARY KEY (id);

--
-- Name: payments payments_reference_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payments
    ADD CONSTRAINT payments_reference_key UNIQUE (reference);

--
-- Name: post_edits post_edits_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.post_edits
    ADD CONSTRAINT post_edits_pkey PRIMARY KEY (post_id, number);

--
-- Name: post_proofs post_proofs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.post_proofs
    ADD CONSTRAINT post_proofs_pkey PRIMARY KEY (post_id);

--
-- Name: post_proofs post_proofs_queue_id_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.post_proofs
    ADD CONSTRAINT post_proofs_queue_id_key UNIQUE (queue_id);

--
-- Name: post_signatures post_signatures_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.post_signatures
    ADD CONSTRAINT post_signatures_pkey PRIMARY KEY (post_id, edit);

--
-- Name: posts posts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.posts
    ADD CONSTRAINT posts_pkey PRIMARY KEY (id);

--
-- Name: provider_events provider_events_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.provider_events
    ADD CONSTRAINT provider_events_pkey PRIMARY KEY (id);

--
-- Name: publications publications_kind_month_number_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.publications
    ADD CONSTRAINT publications_kind_month_number_key UNIQUE (kind, month, number);

--
-- Name: publications publications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.publications
    ADD CONSTRAINT publications_pkey PRIMARY KEY (post_id);

--
-- Name: published_before published_before_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.published_before
    ADD CONSTRAINT published_before_pkey PRIMARY KEY (account_id, subject);

--
-- Name: reader_messages reader_messages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reader_messages
    ADD CONSTRAINT reader_messages_pkey PRIMARY KEY (id);

--
-- Name: reader_messages reader_messages_token_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reader_messages
    ADD CONSTRAINT reader_messages_token_hash_key UNIQUE (token_hash);

--
-- Name: relayed_messages relayed_messages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.relayed_messages
    ADD CONSTRAINT relayed_messages_pkey PRIMARY KEY (id);

--
-- Name: replica_beats replica_beats_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.replica_beats
    ADD CONSTRAINT replica_beats_pkey PRIMARY KEY (reader);

--
-- Name: report_cases report_cases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.report_cases
    ADD CONSTRAINT report_cases_pkey PRIMARY KEY (post_id, number);

--
-- Name: reports reports_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_pkey PRIMARY KEY (id);

--
-- Name: review_mails review_mails_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.review_mails
    ADD CONSTRAINT review_mails_pkey PRIMARY KEY (account_id, about);

--
-- Name: review_pace review_pace_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.review_pace
    ADD CONSTRAINT review_pace_pkey PRIMARY KEY (only_row);

--
-- Name: reviews reviews_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_pkey PRIMARY KEY (post_id, edit);

--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

--
-- Name: search_entries search_entries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.search_entries
    ADD CONSTRAINT search_entries_pkey PRIMARY KEY (post_id);

--
-- Name: shelf_entries shelf_entries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.shelf_entries
    ADD CONSTRAINT shelf_entries_pkey PRIMARY KEY (post_id, path);

--
-- Name: shelves shelves_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.shelves
    ADD CONSTRAINT shelves_pkey PRIMARY KEY (kind, path);

--
-- Name: signing_keys signing_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.signing_keys
    ADD CONSTRAINT signing_keys_pkey PRIMARY KEY (key_id);

--
-- Name: spent_challenges spent_challenges_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.spent_challenges
    ADD CONSTRAINT spent_challenges_pkey PRIMARY KEY (challenge_hash);

--
-- Name: staff_links staff_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.staff_links
    ADD CONSTRAINT staff_links_pkey PRIMARY KEY (id);

--
-- Name: staff_links staff_links_token_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.staff_links
    ADD CONSTRAINT staff_links_token_hash_key UNIQUE (token_hash);

--
-- Name: staff staff_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.staff
    ADD CONSTRAINT staff_pkey PRIMARY KEY (id);

--
-- Name: staff_sessions staff_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.staff_sessions
    ADD CONSTRAINT staff_sessions_pkey PRIMARY KEY (id);

--
-- Name: staff_sessions staff_sessions_token_hash_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.staff_sessions
    ADD CONSTRAINT staff_sessions_token_hash_key UNIQUE (token_hash);

--
-- Name: stream_entries stream_entries_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stream_entries
    ADD CONSTRAINT stream_entries_pkey PRIMARY KEY (id);

--
-- Name: stream_entries stream_entries_position_key; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.stream_entries
    ADD CONSTRAINT stream_entries_position_key UNIQUE ("position");

--
-- Name: ledger_transfers transfer_once; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_transfers
    ADD CONSTRAINT transfer_once UNIQUE (subject, reason, part);

--
-- Name: CONSTRAINT transfer_once ON ledger_transfers; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON CONSTRAINT transfer_once ON public.ledger_transfers IS 'What a transfer is for happens once: a retry finds it done.';

--
-- Name: unlisted_posts unlisted_posts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.unlisted_posts
    ADD CONSTRAINT unlisted_posts_pkey PRIMARY KEY (post_id);

--
-- Name: webhook_secrets webhook_secrets_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_secrets
    ADD CONSTRAINT webhook_secrets_pkey PRIMARY KEY (webhook_id, number);

--
-- Name: webhooks webhooks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhooks
    ADD CONSTRAINT webhooks_pkey PRIMARY KEY (id);

--
-- Name: withdrawals withdrawals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.withdrawals
    ADD CONSTRAINT withdrawals_pkey PRIMARY KEY (post_id);

--
-- Name: job_common_i1; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i1 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'created'::pgboss.job_state) AND (policy = 'short'::text));

--
-- Name: job_common_i10; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_common_i10 ON pgboss.job_common USING btree (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked) AND (policy = 'key_strict_fifo'::text));

--
-- Name: job_common_i11; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_common_i11 ON pgboss.job_common USING btree (name, priority DESC, created_on, start_after) WHERE ((state < 'active'::pgboss.job_state) AND (NOT blocked));

--
-- Name: job_common_i12; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_common_i12 ON pgboss.job_common USING btree (source_root_id) WHERE (source_root_id IS NOT NULL);

--
-- Name: job_common_i2; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i2 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state = 'active'::pgboss.job_state) AND (policy = 'singleton'::text));

--
-- Name: job_common_i3; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i3 ON pgboss.job_common USING btree (name, state, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'stately'::text));

--
-- Name: job_common_i4; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i4 ON pgboss.job_common USING btree (name, singleton_on, COALESCE(singleton_key, ''::text)) WHERE ((state <> 'cancelled'::pgboss.job_state) AND (singleton_on IS NOT NULL));

--
-- Name: job_common_i6; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i6 ON pgboss.job_common USING btree (name, COALESCE(singleton_key, ''::text)) WHERE ((state <= 'active'::pgboss.job_state) AND (policy = 'exclusive'::text));

--
-- Name: job_common_i7; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_common_i7 ON pgboss.job_common USING btree (name, group_id) WHERE ((state = 'active'::pgboss.job_state) AND (group_id IS NOT NULL));

--
-- Name: job_common_i8; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE UNIQUE INDEX job_common_i8 ON pgboss.job_common USING btree (name, singleton_key) WHERE ((state = ANY (ARRAY['active'::pgboss.job_state, 'retry'::pgboss.job_state, 'failed'::pgboss.job_state])) AND (policy = 'key_strict_fifo'::text));

--
-- Name: job_common_i9; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_common_i9 ON pgboss.job_common USING btree (name, id) WHERE (blocking AND (state = 'completed'::pgboss.job_state));

--
-- Name: job_common_shares; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_common_shares ON pgboss.job_common USING btree (name, group_id, priority) WHERE ((state < 'completed'::pgboss.job_state) AND (group_id IS NOT NULL));

--
-- Name: job_dep_parent_idx; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX job_dep_parent_idx ON pgboss.job_dependency USING btree (parent_name, parent_id);

--
-- Name: queue_stats_i1; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX queue_stats_i1 ON ONLY pgboss.queue_stats USING btree (name, captured_on DESC) INCLUDE (deferred_count, queued_count, ready_count, active_count, failed_count, total_count);

--
-- Name: warning_i1; Type: INDEX; Schema: pgboss; Owner: -
--

CREATE INDEX warning_i1 ON pgboss.warning USING btree (created_on DESC);

--
-- Name: abuse_refusals_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX abuse_refusals_by_account ON public.abuse_refusals USING btree (account_id, refused_at);

--
-- Name: accounts_asked_to_delete; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_asked_to_delete ON public.accounts USING btree (deletion_requested_at) WHERE (deletion_requested_at IS NOT NULL);

--
-- Name: accounts_banned_with; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_banned_with ON public.accounts USING btree (banned_with) WHERE (banned_with IS NOT NULL);

--
-- Name: accounts_by_domain; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_by_domain ON public.accounts USING btree (verified_domain, domain_checked_at) WHERE (verified_domain IS NOT NULL);

--
-- Name: accounts_by_email; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_by_email ON public.accounts USING btree (lower(email)) WHERE (standing <> 'closed'::public.account_standing);

--
-- Name: accounts_by_mail_domain; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_by_mail_domain ON public.accounts USING btree (public.mail_domain(email)) WHERE ((email_verified_at IS NOT NULL) AND (standing <> 'closed'::public.account_standing));

--
-- Name: accounts_by_mailbox; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_by_mailbox ON public.accounts USING btree (public.fold_mailbox(email)) WHERE ((email_verified_at IS NOT NULL) AND (standing <> 'closed'::public.account_standing));

--
-- Name: accounts_recharging; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_recharging ON public.accounts USING btree (id) WHERE auto_recharge_enabled;

--
-- Name: accounts_to_clear; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX accounts_to_clear ON public.accounts USING btree (id) WHERE ((standing = 'closed'::public.account_standing) AND (cleared_at IS NULL));

--
-- Name: api_keys_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_keys_by_account ON public.api_keys USING btree (account_id);

--
-- Name: appeals_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX appeals_by_account ON public.appeals USING btree (account_id) WHERE (message IS NOT NULL);

--
-- Name: appeals_by_decision; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX appeals_by_decision ON public.appeals USING btree (decided_at) WHERE (decided_at IS NOT NULL);

--
-- Name: appeals_by_submission; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX appeals_by_submission ON public.appeals USING btree (submitted_at);

--
-- Name: appeals_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX appeals_open ON public.appeals USING btree (submitted_at) WHERE (outcome IS NULL);

--
-- Name: audit_log_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_by_account ON public.audit_log USING btree (account_id, id);

--
-- Name: audit_log_by_actor; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_by_actor ON public.audit_log USING btree (actor, id);

--
-- Name: audit_log_by_case; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_by_case ON public.audit_log USING btree (((details ->> 'case'::text)), id) WHERE ((details ->> 'case'::text) IS NOT NULL);

--
-- Name: audit_log_by_post; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_by_post ON public.audit_log USING btree (((details ->> 'post_id'::text)), id) WHERE ((details ->> 'post_id'::text) IS NOT NULL);

--
-- Name: audit_log_undone; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_undone ON public.audit_log USING btree (at) WHERE (action = 'case.undo'::text);

--
-- Name: audit_samples_by_post; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_samples_by_post ON public.audit_samples USING btree (post_id);

--
-- Name: audit_samples_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_samples_by_time ON public.audit_samples USING btree (sampled_at);

--
-- Name: decided_by_machine_once; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX decided_by_machine_once ON public.moderation_decisions USING btree (post_id, edit) WHERE automated;

--
-- Name: decision_proofs_by_post; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX decision_proofs_by_post ON public.decision_proofs USING btree (post_id);

--
-- Name: deliveries_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_by_age ON public.deliveries USING btree (created_at);

--
-- Name: deliveries_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX deliveries_due ON public.deliveries USING btree (webhook_id, queue, due_at) WHERE (status = 'pending'::public.delivery_status);

--
-- Name: delivery_lanes_held; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX delivery_lanes_held ON public.delivery_lanes USING btree (holder) WHERE (holder IS NOT NULL);

--
-- Name: delivery_lanes_ready; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX delivery_lanes_ready ON public.delivery_lanes USING btree (queue, ready_at) WHERE ((holder IS NULL) AND (ready_at IS NOT NULL));

--
-- Name: desk_claims_by_member; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX desk_claims_by_member ON public.desk_claims USING btree (staff_id);

--
-- Name: desk_decisions_by_member; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX desk_decisions_by_member ON public.desk_decisions USING btree (staff_id, decided_at);

--
-- Name: desk_decisions_by_post; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX desk_decisions_by_post ON public.desk_decisions USING btree (post_id);

--
-- Name: desk_decisions_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX desk_decisions_by_time ON public.desk_decisions USING btree (decided_at);

--
-- Name: desk_decisions_to_apply; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX desk_decisions_to_apply ON public.desk_decisions USING btree (due_at) WHERE (applied_at IS NULL);

--
-- Name: draft_links_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX draft_links_by_account ON public.draft_links USING btree (account_id);

--
-- Name: draft_links_expiring; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX draft_links_expiring ON public.draft_links USING btree (expires_at);

--
-- Name: drafts_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX drafts_by_account ON public.drafts USING btree (account_id, id);

--
-- Name: drafts_due; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX drafts_due ON public.drafts USING btree (COALESCE(publish_at, approved_at)) WHERE (state = 'scheduled'::public.draft_state);

--
-- Name: drafts_ended; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX drafts_ended ON public.drafts USING btree (decided_at) WHERE (decided_at IS NOT NULL);

--
-- Name: drafts_ended_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX drafts_ended_by_account ON public.drafts USING btree (account_id, decided_at DESC, id DESC) WHERE (decided_at IS NOT NULL);

--
-- Name: drafts_expiring; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX drafts_expiring ON public.drafts USING btree (expires_at) WHERE (state = 'awaiting_approval'::public.draft_state);

--
-- Name: drafts_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX drafts_open ON public.drafts USING btree (account_id) WHERE (state = ANY (ARRAY['awaiting_approval'::public.draft_state, 'scheduled'::public.draft_state]));

--
-- Name: drafts_to_tell; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX drafts_to_tell ON public.drafts USING btree (account_id) WHERE ((state = 'awaiting_approval'::public.draft_state) AND (told_at IS NULL));

--
-- Name: drafts_told; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX drafts_told ON public.drafts USING btree (account_id, told_at) WHERE (told_at IS NOT NULL);

--
-- Name: five_webhooks_an_account; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX five_webhooks_an_account ON public.webhooks USING btree (account_id, slot) WHERE (deleted_at IS NULL);

--
-- Name: idempotent_answers_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX idempotent_answers_by_time ON public.idempotent_answers USING btree (created_at);

--
-- Name: ledger_transfers_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ledger_transfers_by_account ON public.ledger_transfers USING btree (account_id, id);

--
-- Name: ledger_transfers_by_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ledger_transfers_by_key ON public.ledger_transfers USING btree (key_id, entered_at) WHERE (key_id IS NOT NULL);

--
-- Name: listing_pages_changed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX listing_pages_changed ON public.listing_pages USING btree (kind, changed_at);

--
-- Name: log_queue_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX log_queue_by_age ON public.log_queue USING btree (taken_up_at) WHERE (taken_up_at IS NOT NULL);

--
-- Name: log_queue_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX log_queue_waiting ON public.log_queue USING btree (id) WHERE (entry_index IS NULL);

--
-- Name: mailbox_codes_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mailbox_codes_by_age ON public.mailbox_codes USING btree (expires_at);

--
-- Name: mailbox_codes_by_browser; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mailbox_codes_by_browser ON public.mailbox_codes USING btree (asked_by);

--
-- Name: mailbox_codes_by_mailbox; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX mailbox_codes_by_mailbox ON public.mailbox_codes USING btree (public.fold_mailbox(email), created_at);

--
-- Name: moderation_decisions_by_person; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX moderation_decisions_by_person ON public.moderation_decisions USING btree (decided_at) WHERE (NOT automated);

--
-- Name: moderation_decisions_by_post; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX moderation_decisions_by_post ON public.moderation_decisions USING btree (post_id, id);

--
-- Name: moderation_decisions_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX moderation_decisions_by_time ON public.moderation_decisions USING btree (decided_at, id);

--
-- Name: moderation_decisions_to_check; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX moderation_decisions_to_check ON public.moderation_decisions USING btree (decided_at) WHERE (automated AND (outcome = 'abuse'::public.decision_outcome));

--
-- Name: moderation_decisions_to_review; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX moderation_decisions_to_review ON public.moderation_decisions USING btree (decided_at) WHERE (automated AND (outcome = 'review'::public.decision_outcome));

--
-- Name: oauth_access_tokens_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_access_tokens_by_expiry ON public.oauth_access_tokens USING btree (expires_at);

--
-- Name: oauth_access_tokens_by_session; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_access_tokens_by_session ON public.oauth_access_tokens USING btree (session_id);

--
-- Name: oauth_clients_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_clients_by_expiry ON public.oauth_clients USING btree (expires_at);

--
-- Name: oauth_requests_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_requests_by_expiry ON public.oauth_requests USING btree (expires_at);

--
-- Name: oauth_requests_by_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_requests_by_key ON public.oauth_requests USING btree (key_id) WHERE (key_id IS NOT NULL);

--
-- Name: oauth_sessions_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_sessions_by_expiry ON public.oauth_sessions USING btree (expires_at);

--
-- Name: oauth_sessions_by_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX oauth_sessions_by_key ON public.oauth_sessions USING btree (key_id);

--
-- Name: one_edit_at_a_time; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX one_edit_at_a_time ON public.post_edits USING btree (post_id) WHERE (status = ANY (ARRAY['queued'::public.edit_status, 'review'::public.edit_status]));

--
-- Name: one_member_a_mailbox; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX one_member_a_mailbox ON public.staff USING btree (lower(email)) WHERE (disabled_at IS NULL);

--
-- Name: one_open_case_a_post; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX one_open_case_a_post ON public.report_cases USING btree (post_id) WHERE (closed_at IS NULL);

--
-- Name: one_recharge_at_a_time; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX one_recharge_at_a_time ON public.payments USING btree (account_id) WHERE ((cause = 'recharge'::public.payment_cause) AND (status = 'started'::public.payment_status));

--
-- Name: open_cases_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX open_cases_by_account ON public.open_cases USING btree (account_id);

--
-- Name: open_cases_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX open_cases_by_age ON public.open_cases USING btree (kind, opened_at);

--
-- Name: open_cases_by_deadline; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX open_cases_by_deadline ON public.open_cases USING btree (kind, since) WHERE has_deadline;

--
-- Name: open_cases_by_post; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX open_cases_by_post ON public.open_cases USING btree (post_id);

--
-- Name: open_cases_in_order; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX open_cases_in_order ON public.open_cases USING btree (kind, has_deadline, harm, since, case_key);

--
-- Name: owner_codes_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owner_codes_by_account ON public.owner_codes USING btree (account_id, created_at);

--
-- Name: owner_codes_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owner_codes_by_age ON public.owner_codes USING btree (expires_at);

--
-- Name: owner_codes_by_mailbox; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owner_codes_by_mailbox ON public.owner_codes USING btree (public.fold_mailbox(email), created_at);

--
-- Name: owner_link_mails_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owner_link_mails_by_age ON public.owner_link_mails USING btree (asked_at);

--
-- Name: owner_link_mails_by_mailbox; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owner_link_mails_by_mailbox ON public.owner_link_mails USING btree (public.fold_mailbox(email), mailed_at);

--
-- Name: owner_links_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owner_links_by_expiry ON public.owner_links USING btree (expires_at);

--
-- Name: owner_sessions_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owner_sessions_by_account ON public.owner_sessions USING btree (account_id);

--
-- Name: owner_sessions_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owner_sessions_by_age ON public.owner_sessions USING btree (created_at);

--
-- Name: owner_visits_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owner_visits_by_expiry ON public.owner_visits USING btree (expires_at);

--
-- Name: passkeys_by_member; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX passkeys_by_member ON public.passkeys USING btree (staff_id);

--
-- Name: payment_disputes_by_payment; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payment_disputes_by_payment ON public.payment_disputes USING btree (payment_id);

--
-- Name: payment_refunds_by_payment; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payment_refunds_by_payment ON public.payment_refunds USING btree (payment_id);

--
-- Name: payments_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payments_by_account ON public.payments USING btree (account_id, id);

--
-- Name: payments_open; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX payments_open ON public.payments USING btree (created_at) WHERE (status = 'started'::public.payment_status);

--
-- Name: post_edits_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX post_edits_by_account ON public.post_edits USING btree (account_id, submitted_at);

--
-- Name: post_edits_in_review; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX post_edits_in_review ON public.post_edits USING btree (submitted_at) WHERE (status = 'review'::public.edit_status);

--
-- Name: post_edits_queued; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX post_edits_queued ON public.post_edits USING btree (submitted_at) WHERE (status = 'queued'::public.edit_status);

--
-- Name: post_edits_to_forget; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX post_edits_to_forget ON public.post_edits USING btree (decided_at) WHERE ((status = 'rejected'::public.edit_status) AND (content IS NOT NULL));

--
-- Name: post_proofs_by_entry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX post_proofs_by_entry ON public.post_proofs USING btree (entry_index) WHERE (entry_index IS NOT NULL);

--
-- Name: post_signatures_by_band; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX post_signatures_by_band ON public.post_signatures USING gin (bands) WITH (fastupdate=off);

--
-- Name: post_signatures_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX post_signatures_by_time ON public.post_signatures USING btree (created_at);

--
-- Name: posts_accepted; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_accepted ON public.posts USING btree (account_id, published_at) WHERE (published_at IS NOT NULL);

--
-- Name: posts_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_by_account ON public.posts USING btree (account_id, id);

--
-- Name: posts_by_account_and_status; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_by_account_and_status ON public.posts USING btree (account_id, kind, status, id);

--
-- Name: posts_ending; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_ending ON public.posts USING btree (visible_until) WHERE (listed AND (visible_until IS NOT NULL));

--
-- Name: posts_in_review; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_in_review ON public.posts USING btree (created_at) WHERE (status = 'review'::public.post_status);

--
-- Name: posts_listed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_listed ON public.posts USING btree (kind, published_at DESC, id DESC) WHERE listed;

--
-- Name: posts_listed_by_author; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_listed_by_author ON public.posts USING btree (account_id, kind, published_at DESC, id DESC) WHERE listed;

--
-- Name: posts_listed_by_facet; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_listed_by_facet ON public.posts USING gin (facets jsonb_path_ops) WHERE listed;

--
-- Name: posts_listed_by_price; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_listed_by_price ON public.posts USING btree (kind, (((facets ->> 'price'::text))::numeric)) WHERE (listed AND (facets ? 'price'::text));

--
-- Name: posts_listed_by_start; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_listed_by_start ON public.posts USING btree (kind, (((facets ->> 'starts_at'::text))::numeric)) WHERE (listed AND (facets ? 'starts_at'::text));

--
-- Name: posts_queued; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_queued ON public.posts USING btree (created_at) WHERE (status = 'queued'::public.post_status);

--
-- Name: posts_removed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX posts_removed ON public.posts USING btree (account_id) WHERE (status = 'removed'::public.post_status);

--
-- Name: provider_events_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX provider_events_by_age ON public.provider_events USING btree (received_at);

--
-- Name: publications_changed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX publications_changed ON public.publications USING btree (kind, version);

--
-- Name: published_before_by_post; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX published_before_by_post ON public.published_before USING btree (post_id);

--
-- Name: reader_messages_by_seller; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reader_messages_by_seller ON public.reader_messages USING btree (to_account);

--
-- Name: reader_messages_by_sender; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reader_messages_by_sender ON public.reader_messages USING btree (lower(sender_email));

--
-- Name: reader_messages_to_confirm; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reader_messages_to_confirm ON public.reader_messages USING btree (expires_at) WHERE (confirmed_at IS NULL);

--
-- Name: reader_messages_to_send; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reader_messages_to_send ON public.reader_messages USING btree (confirmed_at) WHERE (confirmed_at IS NOT NULL);

--
-- Name: relayed_messages_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX relayed_messages_by_age ON public.relayed_messages USING btree (created_at);

--
-- Name: relayed_messages_with_text; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX relayed_messages_with_text ON public.relayed_messages USING btree (created_at) WHERE (message IS NOT NULL);

--
-- Name: report_cases_closed; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_cases_closed ON public.report_cases USING btree (closed_at) WHERE (closed_at IS NOT NULL);

--
-- Name: report_cases_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX report_cases_waiting ON public.report_cases USING btree (opened_at) WHERE (closed_at IS NULL);

--
-- Name: reports_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reports_by_account ON public.reports USING btree (account_id) WHERE (account_id IS NOT NULL);

--
-- Name: reports_by_case; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reports_by_case ON public.reports USING btree (post_id, case_number);

--
-- Name: reports_by_contact; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reports_by_contact ON public.reports USING btree (lower(contact_email)) WHERE (contact_email IS NOT NULL);

--
-- Name: reports_to_forget; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reports_to_forget ON public.reports USING btree (post_id, case_number) WHERE (COALESCE(detail, contact_email, (account_id)::text) IS NOT NULL);

--
-- Name: reviews_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reviews_by_account ON public.reviews USING btree (account_id, opened_at);

--
-- Name: reviews_decided; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reviews_decided ON public.reviews USING btree (decided_at) INCLUDE (opened_at) WHERE (decided_at IS NOT NULL);

--
-- Name: reviews_decided_to_tell; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reviews_decided_to_tell ON public.reviews USING btree (account_id, decided_at) WHERE ((decided_at IS NOT NULL) AND (told_waiting_at IS NOT NULL) AND (told_decided_at IS NULL));

--
-- Name: reviews_to_tell; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reviews_to_tell ON public.reviews USING btree (account_id, opened_at) WHERE (waits AND (told_waiting_at IS NULL));

--
-- Name: reviews_told_decided; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reviews_told_decided ON public.reviews USING btree (account_id, told_decided_at) WHERE (told_decided_at IS NOT NULL);

--
-- Name: reviews_waiting; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reviews_waiting ON public.reviews USING btree (opened_at) WHERE waits;

--
-- Name: reviews_waiting_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reviews_waiting_by_account ON public.reviews USING btree (account_id, opened_at) WHERE waits;

--
-- Name: reviews_with_fee; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX reviews_with_fee ON public.reviews USING btree (opened_at) WHERE (waits AND (fee_returned_at IS NULL));

--
-- Name: search_entries_by_post; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX search_entries_by_post ON public.search_entries USING btree (post_id, published_at);

--
-- Name: search_entries_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_entries_by_time ON public.search_entries USING btree (published_at DESC, post_id DESC);

--
-- Name: search_entries_by_word; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX search_entries_by_word ON public.search_entries USING gin (facets, words, pairs) WITH (fastupdate=off);

--
-- Name: shelf_entries_by_number; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX shelf_entries_by_number ON public.shelf_entries USING btree (kind, path, number DESC) WHERE listed;

--
-- Name: shelf_entries_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX shelf_entries_newest ON public.shelf_entries USING btree (kind, path, published_at DESC, post_id DESC) WHERE listed;

--
-- Name: shelf_entries_soonest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX shelf_entries_soonest ON public.shelf_entries USING btree (kind, path, ends_at, post_id) WHERE (listed AND (ends_at IS NOT NULL));

--
-- Name: shelves_by_size; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX shelves_by_size ON public.shelves USING btree (kind, parent, listed DESC, path) WHERE (listed > 0);

--
-- Name: shelves_emptied; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX shelves_emptied ON public.shelves USING btree (emptied_at) WHERE (emptied_at IS NOT NULL);

--
-- Name: staff_links_by_member; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX staff_links_by_member ON public.staff_links USING btree (staff_id);

--
-- Name: staff_sessions_by_member; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX staff_sessions_by_member ON public.staff_sessions USING btree (staff_id);

--
-- Name: stream_entries_by_age; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX stream_entries_by_age ON public.stream_entries USING btree (numbered_at, "position") WHERE (numbered_at IS NOT NULL);

--
-- Name: stream_entries_by_kind; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX stream_entries_by_kind ON public.stream_entries USING btree (kind, "position") WHERE ("position" IS NOT NULL);

--
-- Name: stream_entries_unnumbered; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX stream_entries_unnumbered ON public.stream_entries USING btree (id) WHERE ("position" IS NULL);

--
-- Name: twenty_keys_an_account; Type: INDEX; Schema: public; Owner: -
--

CREATE UNIQUE INDEX twenty_keys_an_account ON public.api_keys USING btree (account_id, slot) WHERE (revoked_at IS NULL);

--
-- Name: unlisted_posts_by_kind; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX unlisted_posts_by_kind ON public.unlisted_posts USING btree (kind, version);

--
-- Name: webhook_secrets_by_key; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_secrets_by_key ON public.webhook_secrets USING btree (key_id, webhook_id, number);

--
-- Name: webhook_secrets_retiring; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhook_secrets_retiring ON public.webhook_secrets USING btree (retires_at) WHERE (retires_at IS NOT NULL);

--
-- Name: webhooks_deleted; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX webhooks_deleted ON public.webhooks USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);

--
-- Name: withdrawals_by_shelf; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX withdrawals_by_shelf ON public.withdrawals USING gin (shelves) WHERE (occasion IS NOT NULL);

--
-- Name: withdrawals_by_time; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX withdrawals_by_time ON public.withdrawals USING btree (withdrawn_at);

--
-- Name: withdrawals_newest; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX withdrawals_newest ON public.withdrawals USING btree (kind, withdrawn_at DESC, post_id DESC);

--
-- Name: job_common_pkey; Type: INDEX ATTACH; Schema: pgboss; Owner: -
--

ALTER INDEX pgboss.job_pkey ATTACH PARTITION pgboss.job_common_pkey;

--
-- Name: posts_price; Type: STATISTICS; Schema: public; Owner: -
--

CREATE STATISTICS public.posts_price ON ((facets ->> 'price'::text)::numeric) FROM public.posts;

--
-- Name: posts_start; Type: STATISTICS; Schema: public; Owner: -
--

CREATE STATISTICS public.posts_start ON ((facets ->> 'starts_at'::text)::numeric) FROM public.posts;

--
-- Name: audit_log chain_audit_row; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER chain_audit_row AFTER INSERT ON public.audit_log DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.chain_audit_row();

--
-- Name: payment_customers clear_again; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER clear_again AFTER INSERT ON public.payment_customers FOR EACH ROW EXECUTE FUNCTION public.clear_again();

--
-- Name: accounts close_cases; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER close_cases AFTER UPDATE OF standing ON public.accounts FOR EACH ROW WHEN (((new.standing = 'closed'::public.account_standing) AND (old.standing <> 'closed'::public.account_standing))) EXECUTE FUNCTION public.close_cases();

--
-- Name: events deliver_event; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER deliver_event AFTER INSERT ON public.events FOR EACH ROW EXECUTE FUNCTION public.deliver_event();

--
-- Name: posts drop_decision_salts; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER drop_decision_salts AFTER UPDATE OF status ON public.posts FOR EACH ROW WHEN (((new.status = 'deleted'::public.post_status) AND (old.status <> 'deleted'::public.post_status))) EXECUTE FUNCTION public.drop_decision_salts();

--
-- Name: accounts end_followed_bans; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER end_followed_bans AFTER UPDATE OF standing ON public.accounts FOR EACH ROW WHEN (((old.standing = 'banned'::public.account_standing) AND (new.standing = 'good'::public.account_standing))) EXECUTE FUNCTION public.end_followed_bans();

--
-- Name: post_edits end_review; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER end_review AFTER UPDATE OF status ON public.post_edits FOR EACH ROW WHEN (((old.status = 'review'::public.edit_status) AND (new.status <> 'review'::public.edit_status))) EXECUTE FUNCTION public.end_review();

--
-- Name: posts end_review; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER end_review AFTER UPDATE OF status ON public.posts FOR EACH ROW WHEN (((old.status = 'review'::public.post_status) AND (new.status <> 'review'::public.post_status))) EXECUTE FUNCTION public.end_review();

--
-- Name: accounts forget_domain; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER forget_domain BEFORE UPDATE OF standing ON public.accounts FOR EACH ROW WHEN ((new.standing = 'closed'::public.account_standing)) EXECUTE FUNCTION public.forget_domain();

--
-- Name: accounts forget_drafts; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER forget_drafts AFTER UPDATE OF standing ON public.accounts FOR EACH ROW WHEN (((old.standing <> 'closed'::public.account_standing) AND (new.standing = 'closed'::public.account_standing))) EXECUTE FUNCTION public.forget_drafts();

--
-- Name: accounts forget_mailbox_codes; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER forget_mailbox_codes AFTER UPDATE OF standing ON public.accounts FOR EACH ROW WHEN (((old.standing <> 'closed'::public.account_standing) AND (new.standing = 'closed'::public.account_standing))) EXECUTE FUNCTION public.forget_mailbox_codes();

--
-- Name: accounts forget_published_before; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER forget_published_before AFTER UPDATE OF standing ON public.accounts FOR EACH ROW WHEN (((new.standing = 'closed'::public.account_standing) AND (old.standing <> 'closed'::public.account_standing))) EXECUTE FUNCTION public.forget_published_before();

--
-- Name: accounts forget_reader_messages; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER forget_reader_messages AFTER UPDATE OF standing ON public.accounts FOR EACH ROW WHEN (((old.standing <> 'closed'::public.account_standing) AND (new.standing = 'closed'::public.account_standing))) EXECUTE FUNCTION public.forget_reader_messages();

--
-- Name: api_keys inherit_uses; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER inherit_uses AFTER INSERT ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.inherit_uses();

--
-- Name: ledger_transfers keep_balance; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_balance AFTER INSERT ON public.ledger_transfers FOR EACH ROW WHEN ((new.account_id IS NOT NULL)) EXECUTE FUNCTION public.keep_balance();

--
-- Name: desk_decisions keep_decisions_fair; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_decisions_fair BEFORE INSERT ON public.desk_decisions FOR EACH ROW EXECUTE FUNCTION public.keep_decisions_fair();

--
-- Name: deliveries keep_delivery_rights; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_delivery_rights BEFORE INSERT OR UPDATE ON public.deliveries FOR EACH ROW WHEN (((CURRENT_USER = 'broadside_api'::name) AND (new.status <> 'pending'::public.delivery_status))) EXECUTE FUNCTION public.refuse_delivery();

--
-- Name: drafts keep_draft_lifecycle; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_draft_lifecycle BEFORE UPDATE OF state ON public.drafts FOR EACH ROW WHEN ((old.state IS DISTINCT FROM new.state)) EXECUTE FUNCTION public.keep_draft_lifecycle();

--
-- Name: drafts keep_draft_lifecycle_at_birth; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_draft_lifecycle_at_birth BEFORE INSERT ON public.drafts FOR EACH ROW EXECUTE FUNCTION public.keep_draft_lifecycle();

--
-- Name: post_edits keep_edit_lifecycle; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_edit_lifecycle BEFORE UPDATE OF status ON public.post_edits FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION public.keep_edit_lifecycle();

--
-- Name: post_edits keep_edit_lifecycle_at_birth; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_edit_lifecycle_at_birth BEFORE INSERT ON public.post_edits FOR EACH ROW EXECUTE FUNCTION public.keep_edit_lifecycle();

--
-- Name: post_edits keep_edit_rights; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_edit_rights BEFORE UPDATE OF status ON public.post_edits FOR EACH ROW WHEN (((old.status <> new.status) AND (new.status <> 'cancelled'::public.edit_status))) EXECUTE FUNCTION public.keep_edit_rights();

--
-- Name: events keep_owner_events; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_owner_events BEFORE INSERT ON public.events FOR EACH ROW WHEN ((CURRENT_USER = 'broadside_owner_page'::name)) EXECUTE FUNCTION public.keep_owner_events();

--
-- Name: posts keep_post_lifecycle; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_post_lifecycle BEFORE UPDATE OF status ON public.posts FOR EACH ROW WHEN ((old.status IS DISTINCT FROM new.status)) EXECUTE FUNCTION public.keep_post_lifecycle();

--
-- Name: posts keep_post_lifecycle_at_birth; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_post_lifecycle_at_birth BEFORE INSERT ON public.posts FOR EACH ROW EXECUTE FUNCTION public.keep_post_lifecycle();

--
-- Name: posts keep_post_rights; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_post_rights BEFORE UPDATE ON public.posts FOR EACH ROW EXECUTE FUNCTION public.keep_post_rights();

--
-- Name: posts keep_worker_to_drafts; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_worker_to_drafts BEFORE INSERT ON public.posts FOR EACH ROW WHEN ((CURRENT_USER = 'broadside_worker'::name)) EXECUTE FUNCTION public.keep_worker_to_drafts();

--
-- Name: posts leave_search; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER leave_search AFTER UPDATE ON public.posts FOR EACH ROW WHEN ((old.listed AND ((NOT new.listed) OR (new.content IS DISTINCT FROM old.content)))) EXECUTE FUNCTION public.leave_search();

--
-- Name: log_entries log_entries_stay; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER log_entries_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON public.log_entries FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_log_change();

--
-- Name: log_tile_hashes log_tile_hashes_stay; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER log_tile_hashes_stay BEFORE DELETE OR UPDATE OR TRUNCATE ON public.log_tile_hashes FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_log_change();

--
-- Name: post_edits name_editor; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER name_editor BEFORE INSERT ON public.post_edits FOR EACH ROW EXECUTE FUNCTION public.name_editor();

--
-- Name: accounts note_erasure; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER note_erasure AFTER UPDATE OF standing ON public.accounts FOR EACH ROW WHEN (((old.standing <> 'closed'::public.account_standing) AND (new.standing = 'closed'::public.account_standing))) EXECUTE FUNCTION public.note_erasure('account.closed');

--
-- Name: api_keys note_erasure; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER note_erasure AFTER UPDATE OF revoked_at ON public.api_keys FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL))) EXECUTE FUNCTION public.note_erasure('key.revoked');

--
-- Name: drafts note_erasure; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER note_erasure AFTER UPDATE OF state ON public.drafts FOR EACH ROW WHEN (((old.state <> new.state) AND (new.state = ANY (ARRAY['declined'::public.draft_state, 'cancelled'::public.draft_state])))) EXECUTE FUNCTION public.note_erasure('draft.withdrawn');

--
-- Name: passkeys note_erasure; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER note_erasure AFTER UPDATE OF revoked_at ON public.passkeys FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL))) EXECUTE FUNCTION public.note_erasure('passkey.revoked');

--
-- Name: posts note_erasure; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER note_erasure AFTER UPDATE OF status ON public.posts FOR EACH ROW WHEN (((old.status <> new.status) AND ((new.status = ANY (ARRAY['deleted'::public.post_status, 'removed'::public.post_status])) OR (old.status = 'removed'::public.post_status)))) EXECUTE FUNCTION public.note_post_erasure();

--
-- Name: staff note_erasure; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER note_erasure AFTER UPDATE OF disabled_at ON public.staff FOR EACH ROW WHEN (((old.disabled_at IS NULL) AND (new.disabled_at IS NOT NULL))) EXECUTE FUNCTION public.note_erasure('staff.disabled');

--
-- Name: webhooks note_erasure; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER note_erasure AFTER UPDATE OF deleted_at ON public.webhooks FOR EACH ROW WHEN (((old.deleted_at IS NULL) AND (new.deleted_at IS NOT NULL))) EXECUTE FUNCTION public.note_erasure('webhook.deleted');

--
-- Name: posts note_post_gone; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER note_post_gone AFTER UPDATE OF status ON public.posts FOR EACH ROW WHEN ((new.status = ANY (ARRAY['removed'::public.post_status, 'deleted'::public.post_status]))) EXECUTE FUNCTION public.note_post_gone();

--
-- Name: posts note_public_change; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER note_public_change AFTER UPDATE OF status, content, edited_at ON public.posts FOR EACH ROW WHEN ((((old.status = 'published'::public.post_status) <> (new.status = 'published'::public.post_status)) OR ((new.status = 'published'::public.post_status) AND ((old.edited_at IS DISTINCT FROM new.edited_at) OR (old.content IS DISTINCT FROM new.content))))) EXECUTE FUNCTION public.note_public_change();

--
-- Name: appeals refresh_cases; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER refresh_cases AFTER INSERT OR DELETE OR UPDATE OF submitted_at, outcome ON public.appeals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refresh_changed_cases();

--
-- Name: audit_samples refresh_cases; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER refresh_cases AFTER INSERT OR DELETE OR UPDATE OF outcome, sampled_at ON public.audit_samples DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refresh_changed_cases();

--
-- Name: desk_decisions refresh_cases; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER refresh_cases AFTER INSERT OR DELETE OR UPDATE OF verdict, decided_at ON public.desk_decisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refresh_changed_cases();

--
-- Name: moderation_decisions refresh_cases; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER refresh_cases AFTER INSERT OR DELETE OR UPDATE OF outcome, category, scores, automated, actor, decided_at ON public.moderation_decisions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refresh_changed_cases();

--
-- Name: post_edits refresh_cases; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER refresh_cases AFTER INSERT OR DELETE OR UPDATE OF status ON public.post_edits DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refresh_changed_cases();

--
-- Name: posts refresh_cases; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER refresh_cases AFTER UPDATE OF status, edited_at ON public.posts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.status <> new.status) OR (old.edited_at IS DISTINCT FROM new.edited_at))) EXECUTE FUNCTION public.refresh_changed_cases();

--
-- Name: report_cases refresh_cases; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER refresh_cases AFTER INSERT OR DELETE OR UPDATE OF opened_at, closed_at ON public.report_cases DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refresh_changed_cases();

--
-- Name: reports refresh_cases; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER refresh_cases AFTER INSERT OR DELETE OR UPDATE OF category, case_number ON public.reports DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.refresh_changed_cases();

--
-- Name: posts refresh_new_cases; Type: TRIGGER; Schema: public; Owner: -
--

CREATE CONSTRAINT TRIGGER refresh_new_cases AFTER INSERT ON public.posts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((new.status = 'review'::public.post_status)) EXECUTE FUNCTION public.refresh_changed_cases();

--
-- Name: api_keys refuse_closed_account; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_closed_account BEFORE INSERT ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.refuse_closed_account();

--
-- Name: appeals refuse_closed_account; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_closed_account BEFORE INSERT ON public.appeals FOR EACH ROW EXECUTE FUNCTION public.refuse_closed_account();

--
-- Name: owner_codes refuse_closed_account; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_closed_account BEFORE INSERT ON public.owner_codes FOR EACH ROW EXECUTE FUNCTION public.refuse_closed_account();

--
-- Name: published_before refuse_closed_account; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_closed_account BEFORE INSERT ON public.published_before FOR EACH ROW EXECUTE FUNCTION public.refuse_closed_account();

--
-- Name: reports refuse_closed_account; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_closed_account BEFORE INSERT ON public.reports FOR EACH ROW WHEN ((new.account_id IS NOT NULL)) EXECUTE FUNCTION public.refuse_closed_account();

--
-- Name: webhooks refuse_closed_account; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_closed_account BEFORE INSERT ON public.webhooks FOR EACH ROW EXECUTE FUNCTION public.refuse_closed_account();

--
-- Name: ledger_transfers refuse_closed_charge; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_closed_charge AFTER INSERT ON public.ledger_transfers FOR EACH ROW WHEN ((new.reason = ANY (ARRAY['post'::public.ledger_reason, 'edit'::public.ledger_reason, 'search'::public.ledger_reason]))) EXECUTE FUNCTION public.refuse_closed_charge();

--
-- Name: ledger_transfers refuse_debt_elsewhere; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER refuse_debt_elsewhere AFTER INSERT ON public.ledger_transfers FOR EACH ROW WHEN ((new.reason = ANY (ARRAY['post'::public.ledger_reason, 'edit'::public.ledger_reason, 'search'::public.ledger_reason]))) EXECUTE FUNCTION public.refuse_debt_elsewhere();

--
-- Name: job_common dlq_fkey; Type: FK CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;

--
-- Name: job_common q_fkey; Type: FK CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.job_common
    ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED;

--
-- Name: queue queue_dead_letter_fkey; Type: FK CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.queue
    ADD CONSTRAINT queue_dead_letter_fkey FOREIGN KEY (dead_letter) REFERENCES pgboss.queue(name);

--
-- Name: schedule schedule_name_fkey; Type: FK CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.schedule
    ADD CONSTRAINT schedule_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;

--
-- Name: subscription subscription_name_fkey; Type: FK CONSTRAINT; Schema: pgboss; Owner: -
--

ALTER TABLE ONLY pgboss.subscription
    ADD CONSTRAINT subscription_name_fkey FOREIGN KEY (name) REFERENCES pgboss.queue(name) ON DELETE CASCADE;

--
-- Name: abuse_refusals abuse_refusals_post_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.abuse_refusals
    ADD CONSTRAINT abuse_refusals_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id);

--
-- Name: api_keys api_keys_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

--
-- Name: appeals appeals_post_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.appeals
    ADD CONSTRAINT appeals_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id);

--
-- Name: audit_log audit_log_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

--
-- Name: audit_samples audit_samples_decision_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_samples
    ADD CONSTRAINT audit_samples_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES public.moderation_decisions(id);

--
-- Name: audit_samples audit_samples_post_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_samples
    ADD CONSTRAINT audit_samples_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id);

--
-- Name: balances balances_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

--
-- Name: decision_proofs decision_proofs_decision_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.decision_proofs
    ADD CONSTRAINT decision_proofs_decision_id_fkey FOREIGN KEY (decision_id) REFERENCES public.moderation_decisions(id) ON DELETE CASCADE;

--
-- Name: delivery_lanes delivery_lanes_webhook_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.delivery_lanes
    ADD CONSTRAINT delivery_lanes_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id) ON DELETE CASCADE;

--
-- Name: desk_claims desk_claims_staff_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.desk_claims
    ADD CONSTRAINT desk_claims_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

--
-- Name: desk_decisions desk_decisions_post_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.desk_decisions
    ADD CONSTRAINT desk_decisions_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id);

--
-- Name: desk_decisions desk_decisions_staff_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.desk_decisions
    ADD CONSTRAINT desk_decisions_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

--
-- Name: desk_skips desk_skips_staff_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.desk_skips
    ADD CONSTRAINT desk_skips_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

--
-- Name: listing_pages listing_pages_kind_path_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.listing_pages
    ADD CONSTRAINT listing_pages_kind_path_fkey FOREIGN KEY (kind, path) REFERENCES public.shelves(kind, path) ON DELETE CASCADE;

--
-- Name: moderation_days moderation_days_day_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.moderation_days
    ADD CONSTRAINT moderation_days_day_fkey FOREIGN KEY (day) REFERENCES public.counted_days(day);

--
-- Name: moderation_decisions moderation_decisions_post_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.moderation_decisions
    ADD CONSTRAINT moderation_decisions_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id);

--
-- Name: oauth_access_tokens oauth_access_tokens_session_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_access_tokens
    ADD CONSTRAINT oauth_access_tokens_session_id_fkey FOREIGN KEY (session_id) REFERENCES public.oauth_sessions(id) ON DELETE CASCADE;

--
-- Name: oauth_requests oauth_requests_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_requests
    ADD CONSTRAINT oauth_requests_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

--
-- Name: oauth_sessions oauth_sessions_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.oauth_sessions
    ADD CONSTRAINT oauth_sessions_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;

--
-- Name: owner_links owner_links_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owner_links
    ADD CONSTRAINT owner_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

--
-- Name: passkeys passkeys_staff_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.passkeys
    ADD CONSTRAINT passkeys_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

--
-- Name: payment_disputes payment_disputes_payment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payment_disputes
    ADD CONSTRAINT payment_disputes_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);

--
-- Name: payment_refunds payment_refunds_payment_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.payment_refunds
    ADD CONSTRAINT payment_refunds_payment_id_fkey FOREIGN KEY (payment_id) REFERENCES public.payments(id);

--
-- Name: post_edits post_edits_post_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.post_edits
    ADD CONSTRAINT post_edits_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id);

--
-- Name: post_proofs post_proofs_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.post_proofs
    ADD CONSTRAINT post_proofs_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.signing_keys(key_id);

--
-- Name: post_proofs post_proofs_post_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.post_proofs
    ADD CONSTRAINT post_proofs_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id) ON DELETE CASCADE;

--
-- Name: reports reports_post_id_case_number_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reports
    ADD CONSTRAINT reports_post_id_case_number_fkey FOREIGN KEY (post_id, case_number) REFERENCES public.report_cases(post_id, number) ON DELETE CASCADE;

--
-- Name: reviews reviews_post_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.reviews
    ADD CONSTRAINT reviews_post_id_fkey FOREIGN KEY (post_id) REFERENCES public.posts(id);

--
-- Name: staff_links staff_links_staff_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.staff_links
    ADD CONSTRAINT staff_links_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

--
-- Name: staff_sessions staff_sessions_passkey_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.staff_sessions
    ADD CONSTRAINT staff_sessions_passkey_id_fkey FOREIGN KEY (passkey_id) REFERENCES public.passkeys(id);

--
-- Name: staff_sessions staff_sessions_staff_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.staff_sessions
    ADD CONSTRAINT staff_sessions_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES public.staff(id);

--
-- Name: webhook_secrets webhook_secrets_webhook_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.webhook_secrets
    ADD CONSTRAINT webhook_secrets_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES public.webhooks(id) ON DELETE CASCADE;

--
-- Name: ledger_transfers api_books; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_books ON public.ledger_transfers FOR INSERT TO broadside_api WITH CHECK ((reason = ANY (ARRAY['post'::public.ledger_reason, 'edit'::public.ledger_reason, 'search'::public.ledger_reason])));

--
-- Name: post_edits api_cancels; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_cancels ON public.post_edits FOR UPDATE TO broadside_api USING (true) WITH CHECK ((status = 'cancelled'::public.edit_status));

--
-- Name: appeals api_erases; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_erases ON public.appeals FOR UPDATE TO broadside_api USING (true) WITH CHECK ((message IS NULL));

--
-- Name: post_edits api_erases; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_erases ON public.post_edits FOR UPDATE TO broadside_api USING ((status = 'rejected'::public.edit_status)) WITH CHECK (((status = 'rejected'::public.edit_status) AND (content IS NULL)));

--
-- Name: appeals api_files; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_files ON public.appeals FOR INSERT TO broadside_api WITH CHECK ((EXISTS ( SELECT
   FROM public.posts
  WHERE (((posts.id)::text = (appeals.post_id)::text) AND ((posts.account_id)::text = (appeals.account_id)::text)))));

--
-- Name: audit_log api_signs; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_signs ON public.audit_log FOR INSERT TO broadside_api WITH CHECK ((actor ~~ 'owner:%'::text));

--
-- Name: post_edits api_submits; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_submits ON public.post_edits FOR INSERT TO broadside_api WITH CHECK ((status = 'queued'::public.edit_status));

--
-- Name: appeals; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.appeals ENABLE ROW LEVEL SECURITY;

--
-- Name: audit_log; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.audit_log ENABLE ROW LEVEL SECURITY;

--
-- Name: audit_samples; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.audit_samples ENABLE ROW LEVEL SECURITY;

--
-- Name: desk_decisions desk_decides; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY desk_decides ON public.desk_decisions FOR INSERT TO broadside_desk WITH CHECK ((applied_at IS NULL));

--
-- Name: desk_decisions; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.desk_decisions ENABLE ROW LEVEL SECURITY;

--
-- Name: audit_log desk_signs; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY desk_signs ON public.audit_log FOR INSERT TO broadside_desk WITH CHECK ((actor ~~ 'staff:%'::text));

--
-- Name: desk_decisions desk_undoes; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY desk_undoes ON public.desk_decisions FOR DELETE TO broadside_desk USING ((applied_at IS NULL));

--
-- Name: appeals everyone_reads; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY everyone_reads ON public.appeals FOR SELECT USING (true);

--
-- Name: audit_samples everyone_reads; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY everyone_reads ON public.audit_samples FOR SELECT USING (true);

--
-- Name: desk_decisions everyone_reads; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY everyone_reads ON public.desk_decisions FOR SELECT USING (true);

--
-- Name: ledger_transfers everyone_reads; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY everyone_reads ON public.ledger_transfers FOR SELECT USING (true);

--
-- Name: moderation_decisions everyone_reads; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY everyone_reads ON public.moderation_decisions FOR SELECT USING (true);

--
-- Name: post_edits everyone_reads; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY everyone_reads ON public.post_edits FOR SELECT USING (true);

--
-- Name: ledger_transfers; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.ledger_transfers ENABLE ROW LEVEL SECURITY;

--
-- Name: moderation_decisions; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.moderation_decisions ENABLE ROW LEVEL SECURITY;

--
-- Name: ledger_transfers operator_books; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator_books ON public.ledger_transfers FOR INSERT TO broadside_operator WITH CHECK ((reason = ANY (ARRAY['credit'::public.ledger_reason, 'debit'::public.ledger_reason, 'settlement'::public.ledger_reason, 'refund'::public.ledger_reason, 'penalty'::public.ledger_reason, 'penalty_return'::public.ledger_reason, 'top_up'::public.ledger_reason, 'payout_return'::public.ledger_reason])));

--
-- Name: appeals operator_decides; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator_decides ON public.appeals FOR UPDATE TO broadside_operator USING (true) WITH CHECK (true);

--
-- Name: post_edits operator_decides; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator_decides ON public.post_edits FOR UPDATE TO broadside_operator USING (true) WITH CHECK (true);

--
-- Name: audit_log operator_signs; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator_signs ON public.audit_log FOR INSERT TO broadside_operator WITH CHECK ((actor ~~ 'operator:%'::text));

--
-- Name: moderation_decisions operator_signs; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator_signs ON public.moderation_decisions FOR INSERT TO broadside_operator WITH CHECK (((NOT automated) AND (actor ~~ 'operator:%'::text)));

--
-- Name: appeals owner_files; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY owner_files ON public.appeals FOR INSERT TO broadside_owner_page WITH CHECK ((EXISTS ( SELECT
   FROM public.posts
  WHERE (((posts.id)::text = (appeals.post_id)::text) AND ((posts.account_id)::text = (appeals.account_id)::text)))));

--
-- Name: ledger_transfers owner_page_books; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY owner_page_books ON public.ledger_transfers FOR INSERT TO broadside_owner_page WITH CHECK ((reason = 'payout'::public.ledger_reason));

--
-- Name: audit_log owner_page_signs; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY owner_page_signs ON public.audit_log FOR INSERT TO broadside_owner_page WITH CHECK ((actor ~~ 'owner:%'::text));

--
-- Name: post_edits; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.post_edits ENABLE ROW LEVEL SECURITY;

--
-- Name: audit_log readers; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY readers ON public.audit_log FOR SELECT USING (true);

--
-- Name: desk_decisions worker_applies; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_applies ON public.desk_decisions FOR UPDATE TO broadside_worker USING (true) WITH CHECK ((applied_at IS NOT NULL));

--
-- Name: ledger_transfers worker_books; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_books ON public.ledger_transfers FOR INSERT TO broadside_worker WITH CHECK ((reason = ANY (ARRAY['refund'::public.ledger_reason, 'penalty'::public.ledger_reason, 'settlement'::public.ledger_reason, 'top_up'::public.ledger_reason, 'payout'::public.ledger_reason, 'payout_return'::public.ledger_reason, 'dispute'::public.ledger_reason, 'dispute_return'::public.ledger_reason, 'dispute_loss'::public.ledger_reason])));

--
-- Name: moderation_decisions worker_carries_out; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_carries_out ON public.moderation_decisions FOR INSERT TO broadside_worker WITH CHECK (((NOT automated) AND (EXISTS ( SELECT
   FROM public.desk_decisions desk
  WHERE (((desk.post_id)::text = (moderation_decisions.post_id)::text) AND (desk.applied_at IS NULL) AND (moderation_decisions.actor = ('staff:'::text || (desk.staff_id)::text)))))));

--
-- Name: appeals worker_decides; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_decides ON public.appeals FOR UPDATE TO broadside_worker USING (true) WITH CHECK ((EXISTS ( SELECT
   FROM public.desk_decisions desk
  WHERE (((desk.post_id)::text = (appeals.post_id)::text) AND (desk.applied_at IS NULL) AND (desk.verdict = ANY (ARRAY['uphold'::text, 'dismiss'::text, 'overturn'::text]))))));

--
-- Name: post_edits worker_decides; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_decides ON public.post_edits FOR UPDATE TO broadside_worker USING (true) WITH CHECK (true);

--
-- Name: audit_samples worker_draws; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_draws ON public.audit_samples FOR INSERT TO broadside_worker WITH CHECK ((EXISTS ( SELECT
   FROM public.moderation_decisions made
  WHERE ((made.id = audit_samples.decision_id) AND made.automated AND ((made.post_id)::text = (audit_samples.post_id)::text) AND (made.edit = audit_samples.edit) AND (made.outcome = audit_samples.outcome)))));

--
-- Name: ledger_transfers worker_gives_penalties_back; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_gives_penalties_back ON public.ledger_transfers FOR INSERT TO broadside_worker WITH CHECK (((reason = 'penalty_return'::public.ledger_reason) AND (EXISTS ( SELECT
   FROM public.desk_decisions desk
  WHERE (((desk.account_id)::text = (ledger_transfers.account_id)::text) AND (desk.applied_at IS NULL) AND (desk.verdict = ANY (ARRAY['uphold'::text, 'overturn'::text])))))));

--
-- Name: ledger_transfers worker_returns_fees; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_returns_fees ON public.ledger_transfers FOR INSERT TO broadside_worker WITH CHECK (((reason = 'review_return'::public.ledger_reason) AND (EXISTS ( SELECT
   FROM public.reviews
  WHERE (reviews.waits AND (reviews.fee_returned_at IS NULL) AND ((reviews.account_id)::text = (ledger_transfers.account_id)::text) AND ((reviews.post_id)::text = split_part(ledger_transfers.subject, '/'::text, 1)) AND (reviews.edit = COALESCE(((NULLIF(split_part(ledger_transfers.subject, '/'::text, 2), ''::text))::smallint)::integer, 0)))))));

--
-- Name: audit_log worker_signs; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_signs ON public.audit_log FOR INSERT TO broadside_worker WITH CHECK ((actor ~~ 'system:%'::text));

--
-- Name: moderation_decisions worker_signs; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_signs ON public.moderation_decisions FOR INSERT TO broadside_worker WITH CHECK ((automated AND ((actor ~~ 'model:%'::text) OR (actor ~~ 'system:%'::text))));

--
-- Name: ledger_transfers worker_submits_drafts; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_submits_drafts ON public.ledger_transfers FOR INSERT TO broadside_worker WITH CHECK (((reason = 'post'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'revenue'::public.ledger_book) AND (EXISTS ( SELECT
   FROM public.drafts
  WHERE (((drafts.post_id)::text = ledger_transfers.subject) AND ((drafts.account_id)::text = (ledger_transfers.account_id)::text) AND ((drafts.key_id)::text = (ledger_transfers.key_id)::text) AND ((drafts.total_micros)::bigint = (ledger_transfers.amount_micros)::bigint) AND (drafts.state = 'submitted'::public.draft_state))))));

--
-- Name: SCHEMA pgboss; Type: ACL; Schema: -; Owner: -
--

GRANT USAGE ON SCHEMA pgboss TO broadside_api;
GRANT USAGE ON SCHEMA pgboss TO broadside_operator;
GRANT USAGE ON SCHEMA pgboss TO broadside_worker;
GRANT USAGE ON SCHEMA pgboss TO broadside_reader;
GRANT USAGE ON SCHEMA pgboss TO broadside_owner_page;

--
-- Name: FUNCTION lo_creat(integer); Type: ACL; Schema: pg_catalog; Owner: -
--

REVOKE ALL ON FUNCTION pg_catalog.lo_creat(integer) FROM PUBLIC;

--
-- Name: FUNCTION lo_create(oid); Type: ACL; Schema: pg_catalog; Owner: -
--

REVOKE ALL ON FUNCTION pg_catalog.lo_create(oid) FROM PUBLIC;

--
-- Name: FUNCTION lo_from_bytea(oid, bytea); Type: ACL; Schema: pg_catalog; Owner: -
--

REVOKE ALL ON FUNCTION pg_catalog.lo_from_bytea(oid, bytea) FROM PUBLIC;

--
-- Name: FUNCTION lo_put(oid, bigint, bytea); Type: ACL; Schema: pg_catalog; Owner: -
--

REVOKE ALL ON FUNCTION pg_catalog.lo_put(oid, bigint, bytea) FROM PUBLIC;

--
-- Name: FUNCTION lowrite(integer, bytea); Type: ACL; Schema: pg_catalog; Owner: -
--

REVOKE ALL ON FUNCTION pg_catalog.lowrite(integer, bytea) FROM PUBLIC;

--
-- Name: FUNCTION pg_backup_start(label text, fast boolean); Type: ACL; Schema: pg_catalog; Owner: -
--

GRANT ALL ON FUNCTION pg_catalog.pg_backup_start(label text, fast boolean) TO broadside_backup;

--
-- Name: FUNCTION pg_backup_stop(wait_for_archive boolean, OUT lsn pg_lsn, OUT labelfile text, OUT spcmapfile text); Type: ACL; Schema: pg_catalog; Owner: -
--

GRANT ALL ON FUNCTION pg_catalog.pg_backup_stop(wait_for_archive boolean, OUT lsn pg_lsn, OUT labelfile text, OUT spcmapfile text) TO broadside_backup;

--
-- Name: FUNCTION pg_create_restore_point(text); Type: ACL; Schema: pg_catalog; Owner: -
--

GRANT ALL ON FUNCTION pg_catalog.pg_create_restore_point(text) TO broadside_backup;

--
-- Name: FUNCTION pg_switch_wal(); Type: ACL; Schema: pg_catalog; Owner: -
--

GRANT ALL ON FUNCTION pg_catalog.pg_switch_wal() TO broadside_backup;

--
-- Name: FUNCTION create_queue(queue_name text, options jsonb); Type: ACL; Schema: pgboss; Owner: -
--

REVOKE ALL ON FUNCTION pgboss.create_queue(queue_name text, options jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION pgboss.create_queue(queue_name text, options jsonb) TO broadside_worker;

--
-- Name: FUNCTION delete_queue(queue_name text); Type: ACL; Schema: pgboss; Owner: -
--

REVOKE ALL ON FUNCTION pgboss.delete_queue(queue_name text) FROM PUBLIC;

--
-- Name: FUNCTION job_now(); Type: ACL; Schema: pgboss; Owner: -
--

REVOKE ALL ON FUNCTION pgboss.job_now() FROM PUBLIC;
GRANT ALL ON FUNCTION pgboss.job_now() TO broadside_api;
GRANT ALL ON FUNCTION pgboss.job_now() TO broadside_operator;
GRANT ALL ON FUNCTION pgboss.job_now() TO broadside_worker;
GRANT ALL ON FUNCTION pgboss.job_now() TO broadside_reader;
GRANT ALL ON FUNCTION pgboss.job_now() TO broadside_owner_page;

--
-- Name: FUNCTION job_table_format(command text, table_name text); Type: ACL; Schema: pgboss; Owner: -
--

REVOKE ALL ON FUNCTION pgboss.job_table_format(command text, table_name text) FROM PUBLIC;

--
-- Name: FUNCTION job_table_run(command text, tbl_name text, queue_name text); Type: ACL; Schema: pgboss; Owner: -
--

REVOKE ALL ON FUNCTION pgboss.job_table_run(command text, tbl_name text, queue_name text) FROM PUBLIC;

--
-- Name: FUNCTION job_table_run_async(command_name text, version integer, command text, tbl_name text, queue_name text); Type: ACL; Schema: pgboss; Owner: -
--

REVOKE ALL ON FUNCTION pgboss.job_table_run_async(command_name text, version integer, command text, tbl_name text, queue_name text) FROM PUBLIC;

--
-- Name: FUNCTION refresh_statistics(); Type: ACL; Schema: pgboss; Owner: -
--

REVOKE ALL ON FUNCTION pgboss.refresh_statistics() FROM PUBLIC;
GRANT ALL ON FUNCTION pgboss.refresh_statistics() TO broadside_worker;

--
-- Name: FUNCTION add_strike(account public.account_id, to_ban integer); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.add_strike(account public.account_id, to_ban integer) FROM PUBLIC;

--
-- Name: FUNCTION add_strike(account public.account_id, to_ban integer, refused public.post_id, its_edit smallint, at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.add_strike(account public.account_id, to_ban integer, refused public.post_id, its_edit smallint, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.add_strike(account public.account_id, to_ban integer, refused public.post_id, its_edit smallint, at timestamp with time zone) TO broadside_worker;
GRANT ALL ON FUNCTION public.add_strike(account public.account_id, to_ban integer, refused public.post_id, its_edit smallint, at timestamp with time zone) TO broadside_operator;

--
-- Name: FUNCTION audit_field(value text); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.audit_field(value text) FROM PUBLIC;

--
-- Name: TABLE audit_log; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.audit_log TO broadside_operator;
GRANT SELECT ON TABLE public.audit_log TO broadside_reader;
GRANT SELECT ON TABLE public.audit_log TO broadside_desk;

--
-- Name: COLUMN audit_log.at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(at) ON TABLE public.audit_log TO broadside_api;
GRANT INSERT(at) ON TABLE public.audit_log TO broadside_worker;
GRANT INSERT(at) ON TABLE public.audit_log TO broadside_owner_page;
GRANT INSERT(at) ON TABLE public.audit_log TO broadside_operator;
GRANT INSERT(at) ON TABLE public.audit_log TO broadside_desk;

--
-- Name: COLUMN audit_log.actor; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(actor) ON TABLE public.audit_log TO broadside_api;
GRANT INSERT(actor) ON TABLE public.audit_log TO broadside_worker;
GRANT INSERT(actor) ON TABLE public.audit_log TO broadside_owner_page;
GRANT INSERT(actor) ON TABLE public.audit_log TO broadside_operator;
GRANT INSERT(actor) ON TABLE public.audit_log TO broadside_desk;

--
-- Name: COLUMN audit_log.action; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(action) ON TABLE public.audit_log TO broadside_api;
GRANT INSERT(action) ON TABLE public.audit_log TO broadside_worker;
GRANT INSERT(action) ON TABLE public.audit_log TO broadside_owner_page;
GRANT INSERT(action) ON TABLE public.audit_log TO broadside_operator;
GRANT INSERT(action) ON TABLE public.audit_log TO broadside_desk;

--
-- Name: COLUMN audit_log.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.audit_log TO broadside_api;
GRANT INSERT(account_id) ON TABLE public.audit_log TO broadside_worker;
GRANT INSERT(account_id) ON TABLE public.audit_log TO broadside_owner_page;
GRANT INSERT(account_id) ON TABLE public.audit_log TO broadside_operator;
GRANT INSERT(account_id) ON TABLE public.audit_log TO broadside_desk;

--
-- Name: COLUMN audit_log.details; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(details) ON TABLE public.audit_log TO broadside_api;
GRANT INSERT(details) ON TABLE public.audit_log TO broadside_worker;
GRANT INSERT(details) ON TABLE public.audit_log TO broadside_owner_page;
GRANT INSERT(details) ON TABLE public.audit_log TO broadside_operator;
GRANT INSERT(details) ON TABLE public.audit_log TO broadside_desk;

--
-- Name: FUNCTION audit_row_bytes(entry public.audit_log); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.audit_row_bytes(entry public.audit_log) FROM PUBLIC;

--
-- Name: FUNCTION chain_audit_row(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.chain_audit_row() FROM PUBLIC;

--
-- Name: FUNCTION close_account(account public.account_id, at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.close_account(account public.account_id, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.close_account(account public.account_id, at timestamp with time zone) TO broadside_owner_page;

--
-- Name: FUNCTION close_read_reports(reported public.post_id, current_case smallint, the_outcome public.report_outcome, read_until timestamp with time zone, at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.close_read_reports(reported public.post_id, current_case smallint, the_outcome public.report_outcome, read_until timestamp with time zone, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.close_read_reports(reported public.post_id, current_case smallint, the_outcome public.report_outcome, read_until timestamp with time zone, at timestamp with time zone) TO broadside_worker;

--
-- Name: FUNCTION drop_decision_salts(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.drop_decision_salts() FROM PUBLIC;

--
-- Name: FUNCTION end_followed_bans(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.end_followed_bans() FROM PUBLIC;

--
-- Name: FUNCTION file_report(report public.report_id, reported public.post_id, reporter public.account_id, the_category text, the_detail text, email text, at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.file_report(report public.report_id, reported public.post_id, reporter public.account_id, the_category text, the_detail text, email text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_report(report public.report_id, reported public.post_id, reporter public.account_id, the_category text, the_detail text, email text, at timestamp with time zone) TO broadside_api;

--
-- Name: FUNCTION follow_mailbox_ban(account public.account_id); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.follow_mailbox_ban(account public.account_id) FROM PUBLIC;
GRANT ALL ON FUNCTION public.follow_mailbox_ban(account public.account_id) TO broadside_owner_page;

--
-- Name: FUNCTION forget_closed_account(account public.account_id, batch integer); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.forget_closed_account(account public.account_id, batch integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.forget_closed_account(account public.account_id, batch integer) TO broadside_worker;

--
-- Name: FUNCTION forget_drafts(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.forget_drafts() FROM PUBLIC;

--
-- Name: FUNCTION forget_mailbox_codes(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.forget_mailbox_codes() FROM PUBLIC;

--
-- Name: FUNCTION forget_reader_messages(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.forget_reader_messages() FROM PUBLIC;

--
-- Name: FUNCTION inherit_uses(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.inherit_uses() FROM PUBLIC;

--
-- Name: FUNCTION keep_balance(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.keep_balance() FROM PUBLIC;

--
-- Name: TABLE balances; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.balances TO broadside_api;
GRANT SELECT ON TABLE public.balances TO broadside_worker;
GRANT SELECT ON TABLE public.balances TO broadside_operator;
GRANT SELECT ON TABLE public.balances TO broadside_reader;
GRANT SELECT ON TABLE public.balances TO broadside_owner_page;

--
-- Name: COLUMN balances.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.balances TO broadside_api;
GRANT INSERT(account_id) ON TABLE public.balances TO broadside_owner_page;

--
-- Name: FUNCTION lock_balance(id public.account_id); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.lock_balance(id public.account_id) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lock_balance(id public.account_id) TO broadside_api;
GRANT ALL ON FUNCTION public.lock_balance(id public.account_id) TO broadside_worker;
GRANT ALL ON FUNCTION public.lock_balance(id public.account_id) TO broadside_operator;
GRANT ALL ON FUNCTION public.lock_balance(id public.account_id) TO broadside_owner_page;

--
-- Name: TABLE posts; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.posts TO broadside_api;
GRANT SELECT ON TABLE public.posts TO broadside_worker;
GRANT SELECT ON TABLE public.posts TO broadside_operator;
GRANT SELECT ON TABLE public.posts TO broadside_reader;
GRANT SELECT ON TABLE public.posts TO broadside_owner_page;
GRANT SELECT ON TABLE public.posts TO broadside_desk;

--
-- Name: COLUMN posts.id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(id) ON TABLE public.posts TO broadside_api;
GRANT INSERT(id) ON TABLE public.posts TO broadside_worker;

--
-- Name: COLUMN posts.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.posts TO broadside_api;
GRANT INSERT(account_id) ON TABLE public.posts TO broadside_worker;

--
-- Name: COLUMN posts.kind; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(kind) ON TABLE public.posts TO broadside_api;
GRANT INSERT(kind) ON TABLE public.posts TO broadside_worker;

--
-- Name: COLUMN posts.status; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(status),UPDATE(status) ON TABLE public.posts TO broadside_api;
GRANT INSERT(status),UPDATE(status) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(status) ON TABLE public.posts TO broadside_operator;

--
-- Name: COLUMN posts.content; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(content),UPDATE(content) ON TABLE public.posts TO broadside_api;
GRANT INSERT(content),UPDATE(content) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(content) ON TABLE public.posts TO broadside_operator;

--
-- Name: COLUMN posts.facets; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(facets),UPDATE(facets) ON TABLE public.posts TO broadside_api;
GRANT INSERT(facets),UPDATE(facets) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(facets) ON TABLE public.posts TO broadside_operator;

--
-- Name: COLUMN posts.paid_links; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(paid_links),UPDATE(paid_links) ON TABLE public.posts TO broadside_api;
GRANT INSERT(paid_links),UPDATE(paid_links) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(paid_links) ON TABLE public.posts TO broadside_operator;

--
-- Name: COLUMN posts.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at) ON TABLE public.posts TO broadside_api;
GRANT INSERT(created_at) ON TABLE public.posts TO broadside_worker;

--
-- Name: COLUMN posts.decided_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(decided_at) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(decided_at) ON TABLE public.posts TO broadside_operator;

--
-- Name: COLUMN posts.published_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(published_at) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(published_at) ON TABLE public.posts TO broadside_operator;

--
-- Name: COLUMN posts.edited_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(edited_at) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(edited_at) ON TABLE public.posts TO broadside_operator;

--
-- Name: COLUMN posts.visible_until; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(visible_until) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(visible_until) ON TABLE public.posts TO broadside_operator;

--
-- Name: COLUMN posts.listed; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(listed) ON TABLE public.posts TO broadside_api;
GRANT UPDATE(listed) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(listed) ON TABLE public.posts TO broadside_operator;

--
-- Name: COLUMN posts.model_failures; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(model_failures) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(model_failures) ON TABLE public.posts TO broadside_operator;

--
-- Name: COLUMN posts.revision; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(revision) ON TABLE public.posts TO broadside_worker;
GRANT UPDATE(revision) ON TABLE public.posts TO broadside_operator;

--
-- Name: FUNCTION lock_post(id public.post_id); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.lock_post(id public.post_id) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lock_post(id public.post_id) TO broadside_api;
GRANT ALL ON FUNCTION public.lock_post(id public.post_id) TO broadside_worker;
GRANT ALL ON FUNCTION public.lock_post(id public.post_id) TO broadside_operator;
GRANT ALL ON FUNCTION public.lock_post(id public.post_id) TO broadside_owner_page;

--
-- Name: FUNCTION note_author_gone(post public.post_id); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_author_gone(post public.post_id) FROM PUBLIC;
GRANT ALL ON FUNCTION public.note_author_gone(post public.post_id) TO broadside_worker;

--
-- Name: FUNCTION note_erasure(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_erasure() FROM PUBLIC;

--
-- Name: FUNCTION note_post_erasure(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_post_erasure() FROM PUBLIC;

--
-- Name: FUNCTION note_post_gone(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_post_gone() FROM PUBLIC;

--
-- Name: FUNCTION note_public_change(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.note_public_change() FROM PUBLIC;

--
-- Name: FUNCTION number_stream_entries(at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.number_stream_entries(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.number_stream_entries(at timestamp with time zone) TO broadside_api;
GRANT ALL ON FUNCTION public.number_stream_entries(at timestamp with time zone) TO broadside_worker;

--
-- Name: FUNCTION read_reader_message(its_token_hash bytea, of_post public.post_id, at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.read_reader_message(its_token_hash bytea, of_post public.post_id, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.read_reader_message(its_token_hash bytea, of_post public.post_id, at timestamp with time zone) TO broadside_api;

--
-- Name: FUNCTION refresh_cases(changed public.post_id); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.refresh_cases(changed public.post_id) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refresh_cases(changed public.post_id) TO broadside_desk;

--
-- Name: FUNCTION refresh_changed_cases(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.refresh_changed_cases() FROM PUBLIC;

--
-- Name: FUNCTION refuse_debt_elsewhere(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.refuse_debt_elsewhere() FROM PUBLIC;

--
-- Name: FUNCTION search_shares(); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.search_shares() FROM PUBLIC;
GRANT ALL ON FUNCTION public.search_shares() TO broadside_api;
GRANT ALL ON FUNCTION public.search_shares() TO broadside_worker;
GRANT ALL ON FUNCTION public.search_shares() TO broadside_operator;
GRANT ALL ON FUNCTION public.search_shares() TO broadside_reader;

--
-- Name: TABLE post_signatures; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.post_signatures TO broadside_api;
GRANT SELECT,DELETE ON TABLE public.post_signatures TO broadside_worker;
GRANT SELECT,DELETE ON TABLE public.post_signatures TO broadside_operator;
GRANT SELECT ON TABLE public.post_signatures TO broadside_reader;
GRANT SELECT ON TABLE public.post_signatures TO broadside_desk;

--
-- Name: COLUMN post_signatures.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(post_id) ON TABLE public.post_signatures TO broadside_worker;

--
-- Name: COLUMN post_signatures.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.post_signatures TO broadside_worker;

--
-- Name: COLUMN post_signatures.words; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(words) ON TABLE public.post_signatures TO broadside_worker;

--
-- Name: COLUMN post_signatures.bands; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(bands) ON TABLE public.post_signatures TO broadside_worker;

--
-- Name: COLUMN post_signatures.minhash; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(minhash) ON TABLE public.post_signatures TO broadside_worker;

--
-- Name: COLUMN post_signatures.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at),UPDATE(created_at) ON TABLE public.post_signatures TO broadside_worker;

--
-- Name: FUNCTION sharing_a_band(wanted integer[], since timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.sharing_a_band(wanted integer[], since timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sharing_a_band(wanted integer[], since timestamp with time zone) TO broadside_api;
GRANT ALL ON FUNCTION public.sharing_a_band(wanted integer[], since timestamp with time zone) TO broadside_desk;
GRANT ALL ON FUNCTION public.sharing_a_band(wanted integer[], since timestamp with time zone) TO broadside_worker;

--
-- Name: FUNCTION shelve_post(the_post public.post_id, the_kind text, was_published_at timestamp with time zone, will_end_at timestamp with time zone, is_listed boolean, paths text[], the_time timestamp with time zone, OUT touched text[], OUT archive_month text, OUT archive_number integer, OUT is_new boolean); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.shelve_post(the_post public.post_id, the_kind text, was_published_at timestamp with time zone, will_end_at timestamp with time zone, is_listed boolean, paths text[], the_time timestamp with time zone, OUT touched text[], OUT archive_month text, OUT archive_number integer, OUT is_new boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.shelve_post(the_post public.post_id, the_kind text, was_published_at timestamp with time zone, will_end_at timestamp with time zone, is_listed boolean, paths text[], the_time timestamp with time zone, OUT touched text[], OUT archive_month text, OUT archive_number integer, OUT is_new boolean) TO broadside_worker;

--
-- Name: FUNCTION shelve_post(the_post public.post_id, the_kind text, was_published_at timestamp with time zone, will_end_at timestamp with time zone, is_listed boolean, paths text[], the_time timestamp with time zone, page_size integer, OUT touched text[], OUT archive_month text, OUT archive_number integer, OUT is_new boolean, OUT pages text[]); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.shelve_post(the_post public.post_id, the_kind text, was_published_at timestamp with time zone, will_end_at timestamp with time zone, is_listed boolean, paths text[], the_time timestamp with time zone, page_size integer, OUT touched text[], OUT archive_month text, OUT archive_number integer, OUT is_new boolean, OUT pages text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.shelve_post(the_post public.post_id, the_kind text, was_published_at timestamp with time zone, will_end_at timestamp with time zone, is_listed boolean, paths text[], the_time timestamp with time zone, page_size integer, OUT touched text[], OUT archive_month text, OUT archive_number integer, OUT is_new boolean, OUT pages text[]) TO broadside_worker;

--
-- Name: FUNCTION start_new_log(new_origin text, new_key text, empty_root bytea, close_reason text, published_note text, at timestamp with time zone); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.start_new_log(new_origin text, new_key text, empty_root bytea, close_reason text, published_note text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.start_new_log(new_origin text, new_key text, empty_root bytea, close_reason text, published_note text, at timestamp with time zone) TO broadside_operator;

--
-- Name: FUNCTION take_strike_back(account public.account_id, to_ban integer); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.take_strike_back(account public.account_id, to_ban integer) FROM PUBLIC;

--
-- Name: FUNCTION take_strike_back(account public.account_id, to_ban integer, refused public.post_id, its_edit smallint); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.take_strike_back(account public.account_id, to_ban integer, refused public.post_id, its_edit smallint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_strike_back(account public.account_id, to_ban integer, refused public.post_id, its_edit smallint) TO broadside_worker;
GRANT ALL ON FUNCTION public.take_strike_back(account public.account_id, to_ban integer, refused public.post_id, its_edit smallint) TO broadside_operator;

--
-- Name: FUNCTION take_uses(of_allowance text, of_subject text, on_day date, wanted integer, max_uses integer); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.take_uses(of_allowance text, of_subject text, on_day date, wanted integer, max_uses integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_uses(of_allowance text, of_subject text, on_day date, wanted integer, max_uses integer) TO broadside_api;

--
-- Name: FUNCTION turn_off_auto_recharge(account public.account_id); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.turn_off_auto_recharge(account public.account_id) FROM PUBLIC;
GRANT ALL ON FUNCTION public.turn_off_auto_recharge(account public.account_id) TO broadside_api;

--
-- Name: TABLE bam; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT ON TABLE pgboss.bam TO broadside_reader;

--
-- Name: TABLE job; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE pgboss.job TO broadside_worker;
GRANT SELECT ON TABLE pgboss.job TO broadside_reader;

--
-- Name: TABLE job_common; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE pgboss.job_common TO broadside_worker;
GRANT SELECT ON TABLE pgboss.job_common TO broadside_reader;

--
-- Name: COLUMN job_common.name; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT(name),INSERT(name) ON TABLE pgboss.job_common TO broadside_api;
GRANT SELECT(name),INSERT(name) ON TABLE pgboss.job_common TO broadside_operator;
GRANT SELECT(name),INSERT(name) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.priority; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT(priority),INSERT(priority) ON TABLE pgboss.job_common TO broadside_api;
GRANT SELECT(priority) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.data; Type: ACL; Schema: pgboss; Owner: -
--

GRANT INSERT(data) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(data) ON TABLE pgboss.job_common TO broadside_operator;
GRANT INSERT(data) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.state; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT(state) ON TABLE pgboss.job_common TO broadside_api;
GRANT SELECT(state) ON TABLE pgboss.job_common TO broadside_operator;
GRANT SELECT(state) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.retry_limit; Type: ACL; Schema: pgboss; Owner: -
--

GRANT INSERT(retry_limit) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(retry_limit) ON TABLE pgboss.job_common TO broadside_operator;
GRANT INSERT(retry_limit) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.retry_delay; Type: ACL; Schema: pgboss; Owner: -
--

GRANT INSERT(retry_delay) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(retry_delay) ON TABLE pgboss.job_common TO broadside_operator;
GRANT INSERT(retry_delay) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.retry_backoff; Type: ACL; Schema: pgboss; Owner: -
--

GRANT INSERT(retry_backoff) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(retry_backoff) ON TABLE pgboss.job_common TO broadside_operator;
GRANT INSERT(retry_backoff) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.retry_delay_max; Type: ACL; Schema: pgboss; Owner: -
--

GRANT INSERT(retry_delay_max) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(retry_delay_max) ON TABLE pgboss.job_common TO broadside_operator;
GRANT INSERT(retry_delay_max) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.expire_seconds; Type: ACL; Schema: pgboss; Owner: -
--

GRANT INSERT(expire_seconds) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(expire_seconds) ON TABLE pgboss.job_common TO broadside_operator;
GRANT INSERT(expire_seconds) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.deletion_seconds; Type: ACL; Schema: pgboss; Owner: -
--

GRANT INSERT(deletion_seconds) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(deletion_seconds) ON TABLE pgboss.job_common TO broadside_operator;
GRANT INSERT(deletion_seconds) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.singleton_key; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT(singleton_key),INSERT(singleton_key) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(singleton_key) ON TABLE pgboss.job_common TO broadside_operator;
GRANT SELECT(singleton_key),INSERT(singleton_key) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.group_id; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT(group_id),INSERT(group_id) ON TABLE pgboss.job_common TO broadside_api;
GRANT SELECT(group_id) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.group_tier; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT(group_tier),INSERT(group_tier) ON TABLE pgboss.job_common TO broadside_api;
GRANT SELECT(group_tier) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.start_after; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT(start_after),INSERT(start_after) ON TABLE pgboss.job_common TO broadside_api;
GRANT SELECT(start_after),INSERT(start_after) ON TABLE pgboss.job_common TO broadside_operator;
GRANT SELECT(start_after),INSERT(start_after) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.keep_until; Type: ACL; Schema: pgboss; Owner: -
--

GRANT INSERT(keep_until) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(keep_until) ON TABLE pgboss.job_common TO broadside_operator;
GRANT INSERT(keep_until) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.policy; Type: ACL; Schema: pgboss; Owner: -
--

GRANT INSERT(policy) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(policy) ON TABLE pgboss.job_common TO broadside_operator;
GRANT INSERT(policy) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.heartbeat_seconds; Type: ACL; Schema: pgboss; Owner: -
--

GRANT INSERT(heartbeat_seconds) ON TABLE pgboss.job_common TO broadside_api;
GRANT INSERT(heartbeat_seconds) ON TABLE pgboss.job_common TO broadside_operator;
GRANT INSERT(heartbeat_seconds) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: COLUMN job_common.blocked; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT(blocked) ON TABLE pgboss.job_common TO broadside_api;
GRANT SELECT(blocked) ON TABLE pgboss.job_common TO broadside_owner_page;

--
-- Name: TABLE job_dependency; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT,DELETE ON TABLE pgboss.job_dependency TO broadside_worker;
GRANT SELECT ON TABLE pgboss.job_dependency TO broadside_reader;

--
-- Name: TABLE queue; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE pgboss.queue TO broadside_worker;
GRANT SELECT ON TABLE pgboss.queue TO broadside_reader;

--
-- Name: TABLE queue_stats; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT ON TABLE pgboss.queue_stats TO broadside_reader;

--
-- Name: TABLE schedule; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT ON TABLE pgboss.schedule TO broadside_worker;
GRANT SELECT ON TABLE pgboss.schedule TO broadside_reader;

--
-- Name: COLUMN schedule.kind; Type: ACL; Schema: pgboss; Owner: -
--

GRANT UPDATE(kind) ON TABLE pgboss.schedule TO broadside_worker;

--
-- Name: COLUMN schedule.last_job_id; Type: ACL; Schema: pgboss; Owner: -
--

GRANT UPDATE(last_job_id) ON TABLE pgboss.schedule TO broadside_worker;

--
-- Name: TABLE subscription; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT ON TABLE pgboss.subscription TO broadside_reader;

--
-- Name: TABLE version; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT ON TABLE pgboss.version TO broadside_worker;
GRANT SELECT ON TABLE pgboss.version TO broadside_reader;

--
-- Name: COLUMN version.cron_on; Type: ACL; Schema: pgboss; Owner: -
--

GRANT UPDATE(cron_on) ON TABLE pgboss.version TO broadside_worker;

--
-- Name: COLUMN version.flow_on; Type: ACL; Schema: pgboss; Owner: -
--

GRANT UPDATE(flow_on) ON TABLE pgboss.version TO broadside_worker;

--
-- Name: COLUMN version.monitor_backoff_on; Type: ACL; Schema: pgboss; Owner: -
--

GRANT UPDATE(monitor_backoff_on) ON TABLE pgboss.version TO broadside_worker;

--
-- Name: TABLE warning; Type: ACL; Schema: pgboss; Owner: -
--

GRANT SELECT ON TABLE pgboss.warning TO broadside_reader;

--
-- Name: TABLE abuse_refusals; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.abuse_refusals TO broadside_api;
GRANT SELECT ON TABLE public.abuse_refusals TO broadside_owner_page;
GRANT SELECT ON TABLE public.abuse_refusals TO broadside_worker;
GRANT SELECT ON TABLE public.abuse_refusals TO broadside_desk;
GRANT SELECT ON TABLE public.abuse_refusals TO broadside_operator;
GRANT SELECT ON TABLE public.abuse_refusals TO broadside_reader;

--
-- Name: TABLE accounts; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.accounts TO broadside_reader;
GRANT SELECT ON TABLE public.accounts TO broadside_api;
GRANT SELECT ON TABLE public.accounts TO broadside_operator;
GRANT SELECT ON TABLE public.accounts TO broadside_worker;
GRANT SELECT ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(id) ON TABLE public.accounts TO broadside_api;
GRANT SELECT(id),INSERT(id) ON TABLE public.accounts TO broadside_owner_page;
GRANT SELECT(id) ON TABLE public.accounts TO broadside_desk;

--
-- Name: COLUMN accounts.name; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(name) ON TABLE public.accounts TO broadside_api;
GRANT SELECT(name),INSERT(name) ON TABLE public.accounts TO broadside_owner_page;
GRANT SELECT(name) ON TABLE public.accounts TO broadside_desk;

--
-- Name: COLUMN accounts.email; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(email) ON TABLE public.accounts TO broadside_api;
GRANT SELECT(email),INSERT(email),UPDATE(email) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.email_verified_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(email_verified_at) ON TABLE public.accounts TO broadside_owner_page;
GRANT SELECT(email_verified_at) ON TABLE public.accounts TO broadside_desk;

--
-- Name: COLUMN accounts.standing; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(standing) ON TABLE public.accounts TO broadside_owner_page;
GRANT UPDATE(standing) ON TABLE public.accounts TO broadside_operator;
GRANT SELECT(standing) ON TABLE public.accounts TO broadside_desk;

--
-- Name: COLUMN accounts.strikes; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(strikes) ON TABLE public.accounts TO broadside_operator;
GRANT SELECT(strikes) ON TABLE public.accounts TO broadside_desk;

--
-- Name: COLUMN accounts.policy_version; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(policy_version) ON TABLE public.accounts TO broadside_api;
GRANT INSERT(policy_version) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.card_on_file; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(card_on_file) ON TABLE public.accounts TO broadside_owner_page;
GRANT UPDATE(card_on_file) ON TABLE public.accounts TO broadside_worker;

--
-- Name: COLUMN accounts.auto_recharge_enabled; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(auto_recharge_enabled) ON TABLE public.accounts TO broadside_owner_page;
GRANT UPDATE(auto_recharge_enabled) ON TABLE public.accounts TO broadside_worker;

--
-- Name: COLUMN accounts.auto_recharge_threshold_micros; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(auto_recharge_threshold_micros) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.auto_recharge_amount_micros; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(auto_recharge_amount_micros) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.deletion_requested_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(deletion_requested_at) ON TABLE public.accounts TO broadside_api;
GRANT UPDATE(deletion_requested_at) ON TABLE public.accounts TO broadside_worker;
GRANT UPDATE(deletion_requested_at) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at) ON TABLE public.accounts TO broadside_api;
GRANT SELECT(created_at) ON TABLE public.accounts TO broadside_desk;
GRANT INSERT(created_at) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.banned_for_strikes; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(banned_for_strikes) ON TABLE public.accounts TO broadside_operator;

--
-- Name: COLUMN accounts.auto_recharge_daily_cap_micros; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(auto_recharge_daily_cap_micros) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.auto_recharge_changed_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(auto_recharge_changed_at) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.recharge_failures; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(recharge_failures) ON TABLE public.accounts TO broadside_owner_page;
GRANT UPDATE(recharge_failures) ON TABLE public.accounts TO broadside_worker;

--
-- Name: COLUMN accounts.recharge_failed_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(recharge_failed_at) ON TABLE public.accounts TO broadside_owner_page;
GRANT UPDATE(recharge_failed_at) ON TABLE public.accounts TO broadside_worker;

--
-- Name: COLUMN accounts.cleared_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(cleared_at) ON TABLE public.accounts TO broadside_worker;

--
-- Name: COLUMN accounts.mails_about_reviews; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(mails_about_reviews) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.domain; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(domain) ON TABLE public.accounts TO broadside_desk;
GRANT UPDATE(domain) ON TABLE public.accounts TO broadside_api;
GRANT UPDATE(domain) ON TABLE public.accounts TO broadside_worker;
GRANT UPDATE(domain) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.verified_domain; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(verified_domain) ON TABLE public.accounts TO broadside_desk;
GRANT UPDATE(verified_domain) ON TABLE public.accounts TO broadside_api;
GRANT UPDATE(verified_domain) ON TABLE public.accounts TO broadside_worker;
GRANT UPDATE(verified_domain) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.domain_checked_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(domain_checked_at) ON TABLE public.accounts TO broadside_api;
GRANT UPDATE(domain_checked_at) ON TABLE public.accounts TO broadside_worker;
GRANT UPDATE(domain_checked_at) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.domain_failing_since; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(domain_failing_since) ON TABLE public.accounts TO broadside_api;
GRANT UPDATE(domain_failing_since) ON TABLE public.accounts TO broadside_worker;
GRANT UPDATE(domain_failing_since) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.domain_refusal; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(domain_refusal) ON TABLE public.accounts TO broadside_api;
GRANT UPDATE(domain_refusal) ON TABLE public.accounts TO broadside_worker;
GRANT UPDATE(domain_refusal) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: TABLE allowance_uses; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.allowance_uses TO broadside_api;
GRANT SELECT ON TABLE public.allowance_uses TO broadside_reader;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.allowance_uses TO broadside_worker;
GRANT SELECT,INSERT,UPDATE ON TABLE public.allowance_uses TO broadside_owner_page;

--
-- Name: TABLE api_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.api_keys TO broadside_reader;
GRANT SELECT ON TABLE public.api_keys TO broadside_api;
GRANT SELECT ON TABLE public.api_keys TO broadside_operator;
GRANT SELECT ON TABLE public.api_keys TO broadside_owner_page;

--
-- Name: COLUMN api_keys.id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(id) ON TABLE public.api_keys TO broadside_api;
GRANT INSERT(id) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(id) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: COLUMN api_keys.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.api_keys TO broadside_api;
GRANT INSERT(account_id) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(account_id) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: COLUMN api_keys.name; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(name) ON TABLE public.api_keys TO broadside_api;
GRANT INSERT(name),UPDATE(name) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(name) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: COLUMN api_keys.hash; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(hash) ON TABLE public.api_keys TO broadside_api;
GRANT INSERT(hash) ON TABLE public.api_keys TO broadside_owner_page;

--
-- Name: COLUMN api_keys.last4; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(last4) ON TABLE public.api_keys TO broadside_api;
GRANT INSERT(last4) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(last4) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: COLUMN api_keys.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at) ON TABLE public.api_keys TO broadside_api;
GRANT INSERT(created_at) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(created_at) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: COLUMN api_keys.last_used_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(last_used_at) ON TABLE public.api_keys TO broadside_api;

--
-- Name: COLUMN api_keys.revoked_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(revoked_at) ON TABLE public.api_keys TO broadside_operator;
GRANT UPDATE(revoked_at) ON TABLE public.api_keys TO broadside_api;
GRANT UPDATE(revoked_at) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(revoked_at),UPDATE(revoked_at) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: COLUMN api_keys.scope; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(scope) ON TABLE public.api_keys TO broadside_api;
GRANT INSERT(scope),UPDATE(scope) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(scope) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: COLUMN api_keys.daily_cap_micros; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(daily_cap_micros) ON TABLE public.api_keys TO broadside_api;
GRANT INSERT(daily_cap_micros),UPDATE(daily_cap_micros) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(daily_cap_micros) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: COLUMN api_keys.slot; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(slot) ON TABLE public.api_keys TO broadside_api;
GRANT INSERT(slot) ON TABLE public.api_keys TO broadside_owner_page;

--
-- Name: COLUMN api_keys.confirmed_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(confirmed_at) ON TABLE public.api_keys TO broadside_owner_page;

--
-- Name: COLUMN api_keys.scopes; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(scopes) ON TABLE public.api_keys TO broadside_api;
GRANT INSERT(scopes),UPDATE(scopes) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(scopes) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: COLUMN api_keys.client_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(client_id) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(client_id) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: COLUMN api_keys.client_host; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(client_host),UPDATE(client_host) ON TABLE public.api_keys TO broadside_owner_page;
GRANT SELECT(client_host) ON TABLE public.api_keys TO broadside_worker;

--
-- Name: TABLE appeals; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.appeals TO broadside_api;
GRANT SELECT ON TABLE public.appeals TO broadside_worker;
GRANT SELECT ON TABLE public.appeals TO broadside_operator;
GRANT SELECT ON TABLE public.appeals TO broadside_reader;
GRANT SELECT ON TABLE public.appeals TO broadside_owner_page;
GRANT SELECT ON TABLE public.appeals TO broadside_desk;

--
-- Name: COLUMN appeals.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(post_id) ON TABLE public.appeals TO broadside_api;
GRANT INSERT(post_id) ON TABLE public.appeals TO broadside_owner_page;

--
-- Name: COLUMN appeals.edit; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(edit) ON TABLE public.appeals TO broadside_api;
GRANT INSERT(edit) ON TABLE public.appeals TO broadside_owner_page;

--
-- Name: COLUMN appeals.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.appeals TO broadside_api;
GRANT INSERT(account_id) ON TABLE public.appeals TO broadside_owner_page;

--
-- Name: COLUMN appeals.message; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(message),UPDATE(message) ON TABLE public.appeals TO broadside_api;
GRANT INSERT(message) ON TABLE public.appeals TO broadside_owner_page;

--
-- Name: COLUMN appeals.submitted_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(submitted_at) ON TABLE public.appeals TO broadside_api;
GRANT INSERT(submitted_at) ON TABLE public.appeals TO broadside_owner_page;

--
-- Name: COLUMN appeals.outcome; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(outcome) ON TABLE public.appeals TO broadside_operator;
GRANT UPDATE(outcome) ON TABLE public.appeals TO broadside_worker;

--
-- Name: COLUMN appeals.decided_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(decided_at) ON TABLE public.appeals TO broadside_operator;
GRANT UPDATE(decided_at) ON TABLE public.appeals TO broadside_worker;

--
-- Name: TABLE applied_migrations; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.applied_migrations TO broadside_api;
GRANT SELECT ON TABLE public.applied_migrations TO broadside_worker;
GRANT SELECT ON TABLE public.applied_migrations TO broadside_owner_page;
GRANT SELECT ON TABLE public.applied_migrations TO broadside_desk;
GRANT SELECT ON TABLE public.applied_migrations TO broadside_operator;
GRANT SELECT ON TABLE public.applied_migrations TO broadside_reader;

--
-- Name: TABLE audit_chain; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.audit_chain TO broadside_operator;
GRANT SELECT ON TABLE public.audit_chain TO broadside_reader;
GRANT SELECT ON TABLE public.audit_chain TO broadside_desk;

--
-- Name: TABLE audit_head; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.audit_head TO broadside_operator;
GRANT SELECT ON TABLE public.audit_head TO broadside_reader;
GRANT SELECT ON TABLE public.audit_head TO broadside_worker;
GRANT SELECT ON TABLE public.audit_head TO broadside_desk;

--
-- Name: TABLE audit_samples; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.audit_samples TO broadside_worker;
GRANT SELECT ON TABLE public.audit_samples TO broadside_desk;
GRANT SELECT ON TABLE public.audit_samples TO broadside_operator;
GRANT SELECT ON TABLE public.audit_samples TO broadside_reader;

--
-- Name: TABLE desk_decisions; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.desk_decisions TO broadside_desk;
GRANT SELECT ON TABLE public.desk_decisions TO broadside_worker;
GRANT SELECT ON TABLE public.desk_decisions TO broadside_operator;
GRANT SELECT ON TABLE public.desk_decisions TO broadside_reader;

--
-- Name: COLUMN desk_decisions.applied_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(applied_at) ON TABLE public.desk_decisions TO broadside_worker;

--
-- Name: COLUMN desk_decisions.effect; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(effect) ON TABLE public.desk_decisions TO broadside_worker;

--
-- Name: TABLE moderation_decisions; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.moderation_decisions TO broadside_api;
GRANT SELECT,INSERT ON TABLE public.moderation_decisions TO broadside_worker;
GRANT SELECT,INSERT ON TABLE public.moderation_decisions TO broadside_operator;
GRANT SELECT ON TABLE public.moderation_decisions TO broadside_reader;
GRANT SELECT ON TABLE public.moderation_decisions TO broadside_owner_page;
GRANT SELECT ON TABLE public.moderation_decisions TO broadside_desk;

--
-- Name: TABLE post_edits; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.post_edits TO broadside_api;
GRANT SELECT ON TABLE public.post_edits TO broadside_worker;
GRANT SELECT ON TABLE public.post_edits TO broadside_operator;
GRANT SELECT ON TABLE public.post_edits TO broadside_reader;
GRANT SELECT ON TABLE public.post_edits TO broadside_owner_page;
GRANT SELECT ON TABLE public.post_edits TO broadside_desk;

--
-- Name: COLUMN post_edits.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(post_id) ON TABLE public.post_edits TO broadside_api;

--
-- Name: COLUMN post_edits.number; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(number) ON TABLE public.post_edits TO broadside_api;

--
-- Name: COLUMN post_edits.status; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(status),UPDATE(status) ON TABLE public.post_edits TO broadside_api;
GRANT UPDATE(status) ON TABLE public.post_edits TO broadside_worker;
GRANT UPDATE(status) ON TABLE public.post_edits TO broadside_operator;

--
-- Name: COLUMN post_edits.content; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(content),UPDATE(content) ON TABLE public.post_edits TO broadside_api;
GRANT UPDATE(content) ON TABLE public.post_edits TO broadside_worker;
GRANT UPDATE(content) ON TABLE public.post_edits TO broadside_operator;

--
-- Name: COLUMN post_edits.facets; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(facets),UPDATE(facets) ON TABLE public.post_edits TO broadside_api;
GRANT UPDATE(facets) ON TABLE public.post_edits TO broadside_worker;
GRANT UPDATE(facets) ON TABLE public.post_edits TO broadside_operator;

--
-- Name: COLUMN post_edits.links; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(links),UPDATE(links) ON TABLE public.post_edits TO broadside_api;
GRANT UPDATE(links) ON TABLE public.post_edits TO broadside_worker;
GRANT UPDATE(links) ON TABLE public.post_edits TO broadside_operator;

--
-- Name: COLUMN post_edits.submitted_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(submitted_at) ON TABLE public.post_edits TO broadside_api;

--
-- Name: COLUMN post_edits.decided_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(decided_at) ON TABLE public.post_edits TO broadside_worker;
GRANT UPDATE(decided_at) ON TABLE public.post_edits TO broadside_operator;

--
-- Name: COLUMN post_edits.model_failures; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(model_failures) ON TABLE public.post_edits TO broadside_worker;
GRANT UPDATE(model_failures) ON TABLE public.post_edits TO broadside_operator;

--
-- Name: TABLE report_cases; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.report_cases TO broadside_operator;
GRANT SELECT ON TABLE public.report_cases TO broadside_reader;
GRANT SELECT ON TABLE public.report_cases TO broadside_worker;
GRANT SELECT ON TABLE public.report_cases TO broadside_desk;

--
-- Name: COLUMN report_cases.closed_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(closed_at) ON TABLE public.report_cases TO broadside_operator;
GRANT UPDATE(closed_at) ON TABLE public.report_cases TO broadside_worker;

--
-- Name: COLUMN report_cases.outcome; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(outcome) ON TABLE public.report_cases TO broadside_operator;
GRANT UPDATE(outcome) ON TABLE public.report_cases TO broadside_worker;

--
-- Name: TABLE reports; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.reports TO broadside_operator;
GRANT SELECT ON TABLE public.reports TO broadside_worker;

--
-- Name: COLUMN reports.id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(id) ON TABLE public.reports TO broadside_desk;

--
-- Name: COLUMN reports.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(post_id) ON TABLE public.reports TO broadside_desk;

--
-- Name: COLUMN reports.case_number; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(case_number) ON TABLE public.reports TO broadside_desk;

--
-- Name: COLUMN reports.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(account_id) ON TABLE public.reports TO broadside_worker;
GRANT SELECT(account_id) ON TABLE public.reports TO broadside_desk;

--
-- Name: COLUMN reports.category; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(category) ON TABLE public.reports TO broadside_desk;

--
-- Name: COLUMN reports.detail; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(detail) ON TABLE public.reports TO broadside_worker;
GRANT SELECT(detail) ON TABLE public.reports TO broadside_desk;

--
-- Name: COLUMN reports.contact_email; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(contact_email) ON TABLE public.reports TO broadside_worker;

--
-- Name: COLUMN reports.received_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(received_at) ON TABLE public.reports TO broadside_desk;

--
-- Name: TABLE case_definition; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.case_definition TO broadside_desk;

--
-- Name: TABLE cdn_purges; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.cdn_purges TO broadside_worker;
GRANT SELECT ON TABLE public.cdn_purges TO broadside_operator;
GRANT SELECT ON TABLE public.cdn_purges TO broadside_reader;

--
-- Name: TABLE closed_logs; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.closed_logs TO broadside_worker;
GRANT SELECT ON TABLE public.closed_logs TO broadside_operator;
GRANT SELECT ON TABLE public.closed_logs TO broadside_reader;

--
-- Name: TABLE counted_days; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.counted_days TO broadside_worker;
GRANT SELECT ON TABLE public.counted_days TO broadside_reader;
GRANT SELECT ON TABLE public.counted_days TO broadside_desk;

--
-- Name: TABLE decision_proofs; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.decision_proofs TO broadside_worker;
GRANT SELECT,INSERT,DELETE ON TABLE public.decision_proofs TO broadside_operator;
GRANT SELECT ON TABLE public.decision_proofs TO broadside_api;
GRANT SELECT ON TABLE public.decision_proofs TO broadside_owner_page;
GRANT SELECT ON TABLE public.decision_proofs TO broadside_desk;

--
-- Name: COLUMN decision_proofs.decision_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(decision_id) ON TABLE public.decision_proofs TO broadside_reader;

--
-- Name: COLUMN decision_proofs.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(post_id) ON TABLE public.decision_proofs TO broadside_reader;

--
-- Name: COLUMN decision_proofs.origin; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(origin) ON TABLE public.decision_proofs TO broadside_reader;

--
-- Name: COLUMN decision_proofs.queue_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(queue_id) ON TABLE public.decision_proofs TO broadside_reader;

--
-- Name: COLUMN decision_proofs.entry_index; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(entry_index) ON TABLE public.decision_proofs TO broadside_reader;

--
-- Name: TABLE deliveries; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.deliveries TO broadside_api;
GRANT SELECT,DELETE ON TABLE public.deliveries TO broadside_worker;
GRANT SELECT ON TABLE public.deliveries TO broadside_operator;
GRANT SELECT ON TABLE public.deliveries TO broadside_reader;
GRANT SELECT ON TABLE public.deliveries TO broadside_owner_page;

--
-- Name: COLUMN deliveries.webhook_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(webhook_id) ON TABLE public.deliveries TO broadside_api;

--
-- Name: COLUMN deliveries.event_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(event_id) ON TABLE public.deliveries TO broadside_api;

--
-- Name: COLUMN deliveries.type; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(type) ON TABLE public.deliveries TO broadside_api;

--
-- Name: COLUMN deliveries.status; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(status),UPDATE(status) ON TABLE public.deliveries TO broadside_api;
GRANT UPDATE(status) ON TABLE public.deliveries TO broadside_worker;

--
-- Name: COLUMN deliveries.queue; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(queue),UPDATE(queue) ON TABLE public.deliveries TO broadside_api;
GRANT UPDATE(queue) ON TABLE public.deliveries TO broadside_worker;

--
-- Name: COLUMN deliveries.tries; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(tries) ON TABLE public.deliveries TO broadside_api;
GRANT UPDATE(tries) ON TABLE public.deliveries TO broadside_worker;

--
-- Name: COLUMN deliveries.due_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(due_at),UPDATE(due_at) ON TABLE public.deliveries TO broadside_api;
GRANT UPDATE(due_at) ON TABLE public.deliveries TO broadside_worker;

--
-- Name: COLUMN deliveries.attempts; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(attempts) ON TABLE public.deliveries TO broadside_worker;

--
-- Name: COLUMN deliveries.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at) ON TABLE public.deliveries TO broadside_api;

--
-- Name: TABLE delivery_lanes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.delivery_lanes TO broadside_api;
GRANT SELECT ON TABLE public.delivery_lanes TO broadside_worker;
GRANT SELECT ON TABLE public.delivery_lanes TO broadside_operator;
GRANT SELECT ON TABLE public.delivery_lanes TO broadside_reader;
GRANT SELECT ON TABLE public.delivery_lanes TO broadside_owner_page;

--
-- Name: COLUMN delivery_lanes.webhook_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(webhook_id) ON TABLE public.delivery_lanes TO broadside_api;

--
-- Name: COLUMN delivery_lanes.queue; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(queue) ON TABLE public.delivery_lanes TO broadside_api;

--
-- Name: COLUMN delivery_lanes.due_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(due_at) ON TABLE public.delivery_lanes TO broadside_api;
GRANT UPDATE(due_at) ON TABLE public.delivery_lanes TO broadside_worker;
GRANT UPDATE(due_at) ON TABLE public.delivery_lanes TO broadside_owner_page;

--
-- Name: COLUMN delivery_lanes.paused_until; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(paused_until) ON TABLE public.delivery_lanes TO broadside_worker;

--
-- Name: COLUMN delivery_lanes.holder; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(holder) ON TABLE public.delivery_lanes TO broadside_worker;

--
-- Name: COLUMN delivery_lanes.changes_seen; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(changes_seen) ON TABLE public.delivery_lanes TO broadside_worker;

--
-- Name: COLUMN delivery_lanes.freed_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(freed_at) ON TABLE public.delivery_lanes TO broadside_worker;

--
-- Name: TABLE delivery_workers; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.delivery_workers TO broadside_worker;

--
-- Name: TABLE desk_claims; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.desk_claims TO broadside_desk;
GRANT SELECT,DELETE ON TABLE public.desk_claims TO broadside_worker;

--
-- Name: TABLE desk_skips; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.desk_skips TO broadside_desk;
GRANT SELECT,DELETE ON TABLE public.desk_skips TO broadside_worker;

--
-- Name: TABLE development_clock; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.development_clock TO broadside_api;
GRANT SELECT ON TABLE public.development_clock TO broadside_worker;
GRANT SELECT ON TABLE public.development_clock TO broadside_owner_page;
GRANT SELECT ON TABLE public.development_clock TO broadside_reader;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.development_clock TO broadside_operator;
GRANT SELECT ON TABLE public.development_clock TO broadside_desk;

--
-- Name: TABLE draft_links; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.draft_links TO broadside_worker;
GRANT SELECT ON TABLE public.draft_links TO broadside_owner_page;

--
-- Name: TABLE drafts; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.drafts TO broadside_api;
GRANT SELECT ON TABLE public.drafts TO broadside_owner_page;
GRANT SELECT,DELETE ON TABLE public.drafts TO broadside_worker;

--
-- Name: COLUMN drafts.id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(id) ON TABLE public.drafts TO broadside_api;
GRANT SELECT(id) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(id) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.drafts TO broadside_api;
GRANT SELECT(account_id) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(account_id) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.key_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(key_id) ON TABLE public.drafts TO broadside_api;
GRANT SELECT(key_id) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(key_id) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.kind; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(kind) ON TABLE public.drafts TO broadside_api;
GRANT SELECT(kind) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(kind) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.content; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(content),UPDATE(content) ON TABLE public.drafts TO broadside_api;
GRANT UPDATE(content) ON TABLE public.drafts TO broadside_owner_page;
GRANT UPDATE(content) ON TABLE public.drafts TO broadside_worker;

--
-- Name: COLUMN drafts.total_micros; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(total_micros) ON TABLE public.drafts TO broadside_api;
GRANT SELECT(total_micros) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(total_micros) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.state; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(state),UPDATE(state) ON TABLE public.drafts TO broadside_api;
GRANT UPDATE(state) ON TABLE public.drafts TO broadside_owner_page;
GRANT UPDATE(state) ON TABLE public.drafts TO broadside_worker;
GRANT SELECT(state) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(state) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.publish_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(publish_at) ON TABLE public.drafts TO broadside_api;
GRANT SELECT(publish_at) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(publish_at) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.approved_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(approved_at) ON TABLE public.drafts TO broadside_owner_page;
GRANT SELECT(approved_at) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(approved_at) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.expires_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(expires_at) ON TABLE public.drafts TO broadside_api;
GRANT SELECT(expires_at) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(expires_at) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.told_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(told_at) ON TABLE public.drafts TO broadside_worker;
GRANT SELECT(told_at) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(told_at) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(post_id) ON TABLE public.drafts TO broadside_worker;
GRANT SELECT(post_id) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(post_id) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.problem; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(problem) ON TABLE public.drafts TO broadside_worker;
GRANT SELECT(problem) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(problem) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at) ON TABLE public.drafts TO broadside_api;
GRANT SELECT(created_at) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(created_at) ON TABLE public.drafts TO broadside_reader;

--
-- Name: COLUMN drafts.decided_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(decided_at) ON TABLE public.drafts TO broadside_api;
GRANT UPDATE(decided_at) ON TABLE public.drafts TO broadside_owner_page;
GRANT UPDATE(decided_at) ON TABLE public.drafts TO broadside_worker;
GRANT SELECT(decided_at) ON TABLE public.drafts TO broadside_operator;
GRANT SELECT(decided_at) ON TABLE public.drafts TO broadside_reader;

--
-- Name: TABLE erasures; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE ON TABLE public.erasures TO broadside_worker;
GRANT SELECT ON TABLE public.erasures TO broadside_operator;
GRANT SELECT ON TABLE public.erasures TO broadside_reader;

--
-- Name: TABLE event_positions; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.event_positions TO broadside_api;
GRANT SELECT,INSERT,UPDATE ON TABLE public.event_positions TO broadside_worker;
GRANT SELECT,INSERT,UPDATE ON TABLE public.event_positions TO broadside_operator;
GRANT SELECT ON TABLE public.event_positions TO broadside_reader;
GRANT SELECT,INSERT,UPDATE ON TABLE public.event_positions TO broadside_owner_page;

--
-- Name: TABLE events; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.events TO broadside_api;
GRANT SELECT,INSERT ON TABLE public.events TO broadside_worker;
GRANT SELECT,INSERT ON TABLE public.events TO broadside_operator;
GRANT SELECT ON TABLE public.events TO broadside_reader;
GRANT SELECT,INSERT ON TABLE public.events TO broadside_owner_page;

--
-- Name: TABLE idempotent_answers; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.idempotent_answers TO broadside_api;
GRANT SELECT,DELETE ON TABLE public.idempotent_answers TO broadside_worker;
GRANT SELECT ON TABLE public.idempotent_answers TO broadside_reader;

--
-- Name: COLUMN idempotent_answers.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(created_at) ON TABLE public.idempotent_answers TO broadside_worker;

--
-- Name: TABLE key_spending; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.key_spending TO broadside_api;
GRANT SELECT ON TABLE public.key_spending TO broadside_owner_page;
GRANT SELECT,DELETE ON TABLE public.key_spending TO broadside_worker;

--
-- Name: TABLE ledger_transfers; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.ledger_transfers TO broadside_api;
GRANT SELECT,INSERT ON TABLE public.ledger_transfers TO broadside_worker;
GRANT SELECT,INSERT ON TABLE public.ledger_transfers TO broadside_operator;
GRANT SELECT ON TABLE public.ledger_transfers TO broadside_reader;
GRANT SELECT,INSERT ON TABLE public.ledger_transfers TO broadside_owner_page;

--
-- Name: TABLE ledger_entries; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.ledger_entries TO broadside_api;
GRANT SELECT ON TABLE public.ledger_entries TO broadside_worker;
GRANT SELECT ON TABLE public.ledger_entries TO broadside_operator;
GRANT SELECT ON TABLE public.ledger_entries TO broadside_reader;
GRANT SELECT ON TABLE public.ledger_entries TO broadside_owner_page;

--
-- Name: TABLE listing_pages; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.listing_pages TO broadside_worker;
GRANT SELECT ON TABLE public.listing_pages TO broadside_reader;

--
-- Name: TABLE log_audit_heads; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.log_audit_heads TO broadside_worker;
GRANT SELECT ON TABLE public.log_audit_heads TO broadside_reader;

--
-- Name: TABLE log_checkpoints; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.log_checkpoints TO broadside_worker;
GRANT SELECT ON TABLE public.log_checkpoints TO broadside_reader;

--
-- Name: TABLE log_entries; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.log_entries TO broadside_worker;
GRANT SELECT ON TABLE public.log_entries TO broadside_reader;

--
-- Name: TABLE log_head; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.log_head TO broadside_worker;
GRANT SELECT ON TABLE public.log_head TO broadside_operator;
GRANT SELECT ON TABLE public.log_head TO broadside_reader;
GRANT SELECT ON TABLE public.log_head TO broadside_api;

--
-- Name: COLUMN log_head.stopped_reason; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(stopped_reason) ON TABLE public.log_head TO broadside_operator;

--
-- Name: COLUMN log_head.stopped_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(stopped_at) ON TABLE public.log_head TO broadside_operator;

--
-- Name: COLUMN log_head.files_lost; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(files_lost) ON TABLE public.log_head TO broadside_operator;

--
-- Name: TABLE log_queue; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.log_queue TO broadside_worker;
GRANT SELECT,INSERT ON TABLE public.log_queue TO broadside_operator;
GRANT SELECT ON TABLE public.log_queue TO broadside_reader;

--
-- Name: TABLE log_tile_hashes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.log_tile_hashes TO broadside_worker;
GRANT SELECT ON TABLE public.log_tile_hashes TO broadside_reader;

--
-- Name: TABLE mailbox_codes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.mailbox_codes TO broadside_owner_page;
GRANT SELECT,DELETE ON TABLE public.mailbox_codes TO broadside_worker;

--
-- Name: COLUMN mailbox_codes.sealed; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(sealed) ON TABLE public.mailbox_codes TO broadside_owner_page;

--
-- Name: COLUMN mailbox_codes.tries; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(tries) ON TABLE public.mailbox_codes TO broadside_owner_page;

--
-- Name: COLUMN mailbox_codes.proven_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(proven_at) ON TABLE public.mailbox_codes TO broadside_owner_page;

--
-- Name: TABLE model_status; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.model_status TO broadside_api;
GRANT SELECT,UPDATE ON TABLE public.model_status TO broadside_worker;
GRANT SELECT ON TABLE public.model_status TO broadside_operator;
GRANT SELECT ON TABLE public.model_status TO broadside_reader;
GRANT SELECT ON TABLE public.model_status TO broadside_owner_page;

--
-- Name: TABLE moderation_days; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.moderation_days TO broadside_worker;
GRANT SELECT ON TABLE public.moderation_days TO broadside_reader;
GRANT SELECT ON TABLE public.moderation_days TO broadside_desk;

--
-- Name: TABLE oauth_access_tokens; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.oauth_access_tokens TO broadside_owner_page;
GRANT SELECT ON TABLE public.oauth_access_tokens TO broadside_api;
GRANT SELECT,DELETE ON TABLE public.oauth_access_tokens TO broadside_worker;

--
-- Name: TABLE oauth_clients; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.oauth_clients TO broadside_owner_page;
GRANT SELECT,DELETE ON TABLE public.oauth_clients TO broadside_worker;

--
-- Name: COLUMN oauth_clients.id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(id) ON TABLE public.oauth_clients TO broadside_operator;
GRANT SELECT(id) ON TABLE public.oauth_clients TO broadside_reader;

--
-- Name: COLUMN oauth_clients.name; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(name) ON TABLE public.oauth_clients TO broadside_operator;
GRANT SELECT(name) ON TABLE public.oauth_clients TO broadside_reader;

--
-- Name: COLUMN oauth_clients.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(created_at) ON TABLE public.oauth_clients TO broadside_operator;
GRANT SELECT(created_at) ON TABLE public.oauth_clients TO broadside_reader;

--
-- Name: COLUMN oauth_clients.expires_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(expires_at) ON TABLE public.oauth_clients TO broadside_operator;
GRANT SELECT(expires_at) ON TABLE public.oauth_clients TO broadside_reader;

--
-- Name: TABLE oauth_requests; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.oauth_requests TO broadside_owner_page;
GRANT SELECT,DELETE ON TABLE public.oauth_requests TO broadside_worker;

--
-- Name: COLUMN oauth_requests.id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(id) ON TABLE public.oauth_requests TO broadside_operator;
GRANT SELECT(id) ON TABLE public.oauth_requests TO broadside_reader;

--
-- Name: COLUMN oauth_requests.client_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(client_id) ON TABLE public.oauth_requests TO broadside_operator;
GRANT SELECT(client_id) ON TABLE public.oauth_requests TO broadside_reader;

--
-- Name: COLUMN oauth_requests.client_host; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(client_host) ON TABLE public.oauth_requests TO broadside_operator;
GRANT SELECT(client_host) ON TABLE public.oauth_requests TO broadside_reader;

--
-- Name: COLUMN oauth_requests.scopes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(scopes) ON TABLE public.oauth_requests TO broadside_operator;
GRANT SELECT(scopes) ON TABLE public.oauth_requests TO broadside_reader;

--
-- Name: COLUMN oauth_requests.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(created_at) ON TABLE public.oauth_requests TO broadside_operator;
GRANT SELECT(created_at) ON TABLE public.oauth_requests TO broadside_reader;

--
-- Name: COLUMN oauth_requests.expires_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(expires_at) ON TABLE public.oauth_requests TO broadside_operator;
GRANT SELECT(expires_at) ON TABLE public.oauth_requests TO broadside_reader;

--
-- Name: COLUMN oauth_requests.decided_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(decided_at) ON TABLE public.oauth_requests TO broadside_operator;
GRANT SELECT(decided_at) ON TABLE public.oauth_requests TO broadside_reader;

--
-- Name: COLUMN oauth_requests.key_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(key_id) ON TABLE public.oauth_requests TO broadside_operator;
GRANT SELECT(key_id) ON TABLE public.oauth_requests TO broadside_reader;

--
-- Name: TABLE oauth_sessions; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.oauth_sessions TO broadside_owner_page;
GRANT SELECT ON TABLE public.oauth_sessions TO broadside_api;
GRANT SELECT,DELETE ON TABLE public.oauth_sessions TO broadside_worker;

--
-- Name: COLUMN oauth_sessions.id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(id) ON TABLE public.oauth_sessions TO broadside_operator;
GRANT SELECT(id) ON TABLE public.oauth_sessions TO broadside_reader;

--
-- Name: COLUMN oauth_sessions.key_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(key_id) ON TABLE public.oauth_sessions TO broadside_operator;
GRANT SELECT(key_id) ON TABLE public.oauth_sessions TO broadside_reader;

--
-- Name: COLUMN oauth_sessions.client_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(client_id) ON TABLE public.oauth_sessions TO broadside_operator;
GRANT SELECT(client_id) ON TABLE public.oauth_sessions TO broadside_reader;

--
-- Name: COLUMN oauth_sessions.scopes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(scopes) ON TABLE public.oauth_sessions TO broadside_operator;
GRANT SELECT(scopes) ON TABLE public.oauth_sessions TO broadside_reader;

--
-- Name: COLUMN oauth_sessions.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(created_at) ON TABLE public.oauth_sessions TO broadside_operator;
GRANT SELECT(created_at) ON TABLE public.oauth_sessions TO broadside_reader;

--
-- Name: COLUMN oauth_sessions.refreshed_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(refreshed_at) ON TABLE public.oauth_sessions TO broadside_operator;
GRANT SELECT(refreshed_at) ON TABLE public.oauth_sessions TO broadside_reader;

--
-- Name: COLUMN oauth_sessions.expires_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(expires_at) ON TABLE public.oauth_sessions TO broadside_operator;
GRANT SELECT(expires_at) ON TABLE public.oauth_sessions TO broadside_reader;

--
-- Name: TABLE open_cases; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.open_cases TO broadside_desk;
GRANT SELECT,DELETE ON TABLE public.open_cases TO broadside_worker;

--
-- Name: TABLE owner_codes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.owner_codes TO broadside_owner_page;
GRANT SELECT,DELETE ON TABLE public.owner_codes TO broadside_worker;

--
-- Name: COLUMN owner_codes.sealed; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(sealed) ON TABLE public.owner_codes TO broadside_owner_page;

--
-- Name: COLUMN owner_codes.tries; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(tries) ON TABLE public.owner_codes TO broadside_owner_page;

--
-- Name: TABLE owner_link_mails; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE ON TABLE public.owner_link_mails TO broadside_worker;

--
-- Name: COLUMN owner_link_mails.id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(id) ON TABLE public.owner_link_mails TO broadside_owner_page;

--
-- Name: COLUMN owner_link_mails.email; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(email) ON TABLE public.owner_link_mails TO broadside_owner_page;

--
-- Name: COLUMN owner_link_mails.asked_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(asked_at) ON TABLE public.owner_link_mails TO broadside_owner_page;

--
-- Name: COLUMN owner_link_mails.mailed_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(mailed_at) ON TABLE public.owner_link_mails TO broadside_worker;

--
-- Name: TABLE owner_links; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.owner_links TO broadside_reader;
GRANT SELECT,DELETE ON TABLE public.owner_links TO broadside_api;
GRANT SELECT ON TABLE public.owner_links TO broadside_owner_page;
GRANT SELECT,INSERT,DELETE ON TABLE public.owner_links TO broadside_worker;

--
-- Name: COLUMN owner_links.token_hash; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(token_hash) ON TABLE public.owner_links TO broadside_api;

--
-- Name: COLUMN owner_links.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.owner_links TO broadside_api;

--
-- Name: COLUMN owner_links.expires_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(expires_at),UPDATE(expires_at) ON TABLE public.owner_links TO broadside_api;
GRANT UPDATE(expires_at) ON TABLE public.owner_links TO broadside_worker;

--
-- Name: TABLE owner_sessions; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.owner_sessions TO broadside_owner_page;
GRANT SELECT ON TABLE public.owner_sessions TO broadside_api;
GRANT SELECT,DELETE ON TABLE public.owner_sessions TO broadside_worker;

--
-- Name: COLUMN owner_sessions.id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(id) ON TABLE public.owner_sessions TO broadside_reader;

--
-- Name: COLUMN owner_sessions.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(account_id) ON TABLE public.owner_sessions TO broadside_reader;

--
-- Name: COLUMN owner_sessions.browser; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(browser) ON TABLE public.owner_sessions TO broadside_reader;

--
-- Name: COLUMN owner_sessions.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(created_at) ON TABLE public.owner_sessions TO broadside_reader;

--
-- Name: COLUMN owner_sessions.last_seen_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(last_seen_at) ON TABLE public.owner_sessions TO broadside_owner_page;
GRANT UPDATE(last_seen_at) ON TABLE public.owner_sessions TO broadside_api;
GRANT SELECT(last_seen_at) ON TABLE public.owner_sessions TO broadside_reader;

--
-- Name: COLUMN owner_sessions.ended_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(ended_at) ON TABLE public.owner_sessions TO broadside_owner_page;
GRANT SELECT(ended_at) ON TABLE public.owner_sessions TO broadside_reader;

--
-- Name: TABLE owner_visits; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.owner_visits TO broadside_owner_page;
GRANT SELECT,DELETE ON TABLE public.owner_visits TO broadside_worker;

--
-- Name: SEQUENCE page_versions; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,USAGE ON SEQUENCE public.page_versions TO broadside_worker;

--
-- Name: TABLE passkeys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.passkeys TO broadside_desk;
GRANT SELECT ON TABLE public.passkeys TO broadside_operator;

--
-- Name: COLUMN passkeys.sign_count; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(sign_count) ON TABLE public.passkeys TO broadside_desk;

--
-- Name: COLUMN passkeys.last_used_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(last_used_at) ON TABLE public.passkeys TO broadside_desk;

--
-- Name: COLUMN passkeys.revoked_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(revoked_at) ON TABLE public.passkeys TO broadside_desk;
GRANT UPDATE(revoked_at) ON TABLE public.passkeys TO broadside_operator;

--
-- Name: TABLE payment_customers; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.payment_customers TO broadside_owner_page;
GRANT SELECT,DELETE ON TABLE public.payment_customers TO broadside_worker;
GRANT SELECT ON TABLE public.payment_customers TO broadside_operator;
GRANT SELECT ON TABLE public.payment_customers TO broadside_reader;

--
-- Name: COLUMN payment_customers.card; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(card) ON TABLE public.payment_customers TO broadside_owner_page;
GRANT UPDATE(card) ON TABLE public.payment_customers TO broadside_worker;

--
-- Name: COLUMN payment_customers.card_brand; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(card_brand) ON TABLE public.payment_customers TO broadside_owner_page;
GRANT UPDATE(card_brand) ON TABLE public.payment_customers TO broadside_worker;

--
-- Name: COLUMN payment_customers.card_last4; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(card_last4) ON TABLE public.payment_customers TO broadside_owner_page;
GRANT UPDATE(card_last4) ON TABLE public.payment_customers TO broadside_worker;

--
-- Name: COLUMN payment_customers.card_expires; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(card_expires) ON TABLE public.payment_customers TO broadside_owner_page;
GRANT UPDATE(card_expires) ON TABLE public.payment_customers TO broadside_worker;

--
-- Name: TABLE payment_disputes; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.payment_disputes TO broadside_owner_page;
GRANT SELECT,INSERT ON TABLE public.payment_disputes TO broadside_worker;
GRANT SELECT ON TABLE public.payment_disputes TO broadside_operator;
GRANT SELECT ON TABLE public.payment_disputes TO broadside_reader;

--
-- Name: COLUMN payment_disputes.status; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(status) ON TABLE public.payment_disputes TO broadside_worker;

--
-- Name: COLUMN payment_disputes.closed_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(closed_at) ON TABLE public.payment_disputes TO broadside_worker;

--
-- Name: TABLE payment_refunds; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.payment_refunds TO broadside_owner_page;
GRANT SELECT,INSERT ON TABLE public.payment_refunds TO broadside_worker;
GRANT SELECT ON TABLE public.payment_refunds TO broadside_operator;
GRANT SELECT ON TABLE public.payment_refunds TO broadside_reader;

--
-- Name: COLUMN payment_refunds.status; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(status) ON TABLE public.payment_refunds TO broadside_worker;
GRANT UPDATE(status) ON TABLE public.payment_refunds TO broadside_operator;

--
-- Name: COLUMN payment_refunds.reference; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(reference) ON TABLE public.payment_refunds TO broadside_worker;
GRANT UPDATE(reference) ON TABLE public.payment_refunds TO broadside_operator;

--
-- Name: COLUMN payment_refunds.settled_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(settled_at) ON TABLE public.payment_refunds TO broadside_worker;
GRANT UPDATE(settled_at) ON TABLE public.payment_refunds TO broadside_operator;

--
-- Name: TABLE payments; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.payments TO broadside_owner_page;
GRANT SELECT,INSERT ON TABLE public.payments TO broadside_worker;
GRANT SELECT ON TABLE public.payments TO broadside_operator;
GRANT SELECT ON TABLE public.payments TO broadside_reader;
GRANT SELECT ON TABLE public.payments TO broadside_api;

--
-- Name: COLUMN payments.status; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(status) ON TABLE public.payments TO broadside_owner_page;
GRANT UPDATE(status) ON TABLE public.payments TO broadside_worker;
GRANT UPDATE(status) ON TABLE public.payments TO broadside_operator;

--
-- Name: COLUMN payments.reference; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(reference) ON TABLE public.payments TO broadside_owner_page;
GRANT UPDATE(reference) ON TABLE public.payments TO broadside_worker;

--
-- Name: COLUMN payments.intent; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(intent) ON TABLE public.payments TO broadside_worker;

--
-- Name: COLUMN payments.failure; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(failure) ON TABLE public.payments TO broadside_worker;

--
-- Name: COLUMN payments.settled_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(settled_at) ON TABLE public.payments TO broadside_owner_page;
GRANT UPDATE(settled_at) ON TABLE public.payments TO broadside_worker;
GRANT UPDATE(settled_at) ON TABLE public.payments TO broadside_operator;

--
-- Name: TABLE post_proofs; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.post_proofs TO broadside_worker;
GRANT DELETE ON TABLE public.post_proofs TO broadside_operator;

--
-- Name: COLUMN post_proofs.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(post_id) ON TABLE public.post_proofs TO broadside_api;
GRANT SELECT(post_id) ON TABLE public.post_proofs TO broadside_owner_page;
GRANT SELECT(post_id) ON TABLE public.post_proofs TO broadside_desk;
GRANT SELECT(post_id) ON TABLE public.post_proofs TO broadside_reader;
GRANT SELECT(post_id) ON TABLE public.post_proofs TO broadside_operator;

--
-- Name: COLUMN post_proofs.key_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(key_id) ON TABLE public.post_proofs TO broadside_api;
GRANT SELECT(key_id) ON TABLE public.post_proofs TO broadside_owner_page;
GRANT SELECT(key_id) ON TABLE public.post_proofs TO broadside_desk;
GRANT SELECT(key_id) ON TABLE public.post_proofs TO broadside_reader;
GRANT SELECT(key_id) ON TABLE public.post_proofs TO broadside_operator;

--
-- Name: COLUMN post_proofs.signed_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(signed_at) ON TABLE public.post_proofs TO broadside_api;
GRANT SELECT(signed_at) ON TABLE public.post_proofs TO broadside_owner_page;
GRANT SELECT(signed_at) ON TABLE public.post_proofs TO broadside_desk;
GRANT SELECT(signed_at) ON TABLE public.post_proofs TO broadside_reader;
GRANT SELECT(signed_at) ON TABLE public.post_proofs TO broadside_operator;

--
-- Name: COLUMN post_proofs.signature; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(signature) ON TABLE public.post_proofs TO broadside_api;
GRANT SELECT(signature) ON TABLE public.post_proofs TO broadside_owner_page;
GRANT SELECT(signature) ON TABLE public.post_proofs TO broadside_desk;
GRANT SELECT(signature) ON TABLE public.post_proofs TO broadside_reader;
GRANT SELECT(signature) ON TABLE public.post_proofs TO broadside_operator;

--
-- Name: COLUMN post_proofs.salt; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(salt) ON TABLE public.post_proofs TO broadside_operator;

--
-- Name: COLUMN post_proofs.queue_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(queue_id) ON TABLE public.post_proofs TO broadside_reader;
GRANT SELECT(queue_id),UPDATE(queue_id) ON TABLE public.post_proofs TO broadside_operator;

--
-- Name: COLUMN post_proofs.entry_index; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(entry_index) ON TABLE public.post_proofs TO broadside_reader;
GRANT UPDATE(entry_index) ON TABLE public.post_proofs TO broadside_operator;

--
-- Name: TABLE provider_events; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.provider_events TO broadside_owner_page;
GRANT SELECT,DELETE ON TABLE public.provider_events TO broadside_worker;

--
-- Name: COLUMN provider_events.received_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(received_at) ON TABLE public.provider_events TO broadside_worker;

--
-- Name: TABLE publications; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.publications TO broadside_worker;
GRANT SELECT ON TABLE public.publications TO broadside_reader;

--
-- Name: TABLE published_before; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.published_before TO broadside_worker;
GRANT SELECT,INSERT,DELETE ON TABLE public.published_before TO broadside_operator;
GRANT SELECT ON TABLE public.published_before TO broadside_desk;
GRANT SELECT ON TABLE public.published_before TO broadside_reader;

--
-- Name: TABLE reader_messages; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE ON TABLE public.reader_messages TO broadside_worker;

--
-- Name: COLUMN reader_messages.id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(id),INSERT(id) ON TABLE public.reader_messages TO broadside_api;
GRANT SELECT(id) ON TABLE public.reader_messages TO broadside_operator;
GRANT SELECT(id) ON TABLE public.reader_messages TO broadside_reader;

--
-- Name: COLUMN reader_messages.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(post_id),INSERT(post_id) ON TABLE public.reader_messages TO broadside_api;
GRANT SELECT(post_id) ON TABLE public.reader_messages TO broadside_operator;
GRANT SELECT(post_id) ON TABLE public.reader_messages TO broadside_reader;

--
-- Name: COLUMN reader_messages.to_account; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(to_account),INSERT(to_account) ON TABLE public.reader_messages TO broadside_api;
GRANT SELECT(to_account) ON TABLE public.reader_messages TO broadside_operator;
GRANT SELECT(to_account) ON TABLE public.reader_messages TO broadside_reader;

--
-- Name: COLUMN reader_messages.sender_name; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(sender_name) ON TABLE public.reader_messages TO broadside_api;

--
-- Name: COLUMN reader_messages.sender_email; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(sender_email) ON TABLE public.reader_messages TO broadside_api;

--
-- Name: COLUMN reader_messages.sender_mailbox; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(sender_mailbox),INSERT(sender_mailbox) ON TABLE public.reader_messages TO broadside_api;

--
-- Name: COLUMN reader_messages.message; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(message) ON TABLE public.reader_messages TO broadside_api;

--
-- Name: COLUMN reader_messages.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at) ON TABLE public.reader_messages TO broadside_api;
GRANT SELECT(created_at) ON TABLE public.reader_messages TO broadside_operator;
GRANT SELECT(created_at) ON TABLE public.reader_messages TO broadside_reader;

--
-- Name: COLUMN reader_messages.token_hash; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(token_hash),UPDATE(token_hash) ON TABLE public.reader_messages TO broadside_api;
GRANT UPDATE(token_hash) ON TABLE public.reader_messages TO broadside_worker;

--
-- Name: COLUMN reader_messages.expires_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(expires_at),INSERT(expires_at) ON TABLE public.reader_messages TO broadside_api;
GRANT UPDATE(expires_at) ON TABLE public.reader_messages TO broadside_worker;
GRANT SELECT(expires_at) ON TABLE public.reader_messages TO broadside_operator;
GRANT SELECT(expires_at) ON TABLE public.reader_messages TO broadside_reader;

--
-- Name: COLUMN reader_messages.confirmed_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(confirmed_at),UPDATE(confirmed_at) ON TABLE public.reader_messages TO broadside_api;
GRANT SELECT(confirmed_at) ON TABLE public.reader_messages TO broadside_operator;
GRANT SELECT(confirmed_at) ON TABLE public.reader_messages TO broadside_reader;

--
-- Name: TABLE relayed_messages; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,DELETE ON TABLE public.relayed_messages TO broadside_worker;

--
-- Name: COLUMN relayed_messages.id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(id) ON TABLE public.relayed_messages TO broadside_api;
GRANT SELECT(id) ON TABLE public.relayed_messages TO broadside_operator;
GRANT SELECT(id) ON TABLE public.relayed_messages TO broadside_reader;

--
-- Name: COLUMN relayed_messages.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(post_id) ON TABLE public.relayed_messages TO broadside_api;
GRANT SELECT(post_id) ON TABLE public.relayed_messages TO broadside_operator;
GRANT SELECT(post_id) ON TABLE public.relayed_messages TO broadside_reader;

--
-- Name: COLUMN relayed_messages.from_account; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(from_account) ON TABLE public.relayed_messages TO broadside_api;
GRANT SELECT(from_account) ON TABLE public.relayed_messages TO broadside_operator;
GRANT SELECT(from_account) ON TABLE public.relayed_messages TO broadside_reader;

--
-- Name: COLUMN relayed_messages.to_account; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(to_account) ON TABLE public.relayed_messages TO broadside_api;
GRANT SELECT(to_account) ON TABLE public.relayed_messages TO broadside_operator;
GRANT SELECT(to_account) ON TABLE public.relayed_messages TO broadside_reader;

--
-- Name: COLUMN relayed_messages.message; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(message) ON TABLE public.relayed_messages TO broadside_api;
GRANT UPDATE(message) ON TABLE public.relayed_messages TO broadside_worker;

--
-- Name: COLUMN relayed_messages.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at) ON TABLE public.relayed_messages TO broadside_api;
GRANT SELECT(created_at) ON TABLE public.relayed_messages TO broadside_operator;
GRANT SELECT(created_at) ON TABLE public.relayed_messages TO broadside_reader;

--
-- Name: COLUMN relayed_messages.sent_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(sent_at) ON TABLE public.relayed_messages TO broadside_worker;
GRANT SELECT(sent_at) ON TABLE public.relayed_messages TO broadside_operator;
GRANT SELECT(sent_at) ON TABLE public.relayed_messages TO broadside_reader;

--
-- Name: TABLE replica_beats; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.replica_beats TO broadside_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.replica_beats TO broadside_desk;

--
-- Name: TABLE review_mails; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.review_mails TO broadside_worker;

--
-- Name: TABLE review_pace; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.review_pace TO broadside_api;
GRANT SELECT,UPDATE ON TABLE public.review_pace TO broadside_worker;
GRANT SELECT ON TABLE public.review_pace TO broadside_operator;
GRANT SELECT ON TABLE public.review_pace TO broadside_owner_page;
GRANT SELECT ON TABLE public.review_pace TO broadside_reader;

--
-- Name: TABLE reviews; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.reviews TO broadside_api;
GRANT SELECT ON TABLE public.reviews TO broadside_worker;
GRANT SELECT ON TABLE public.reviews TO broadside_operator;
GRANT SELECT ON TABLE public.reviews TO broadside_owner_page;
GRANT SELECT ON TABLE public.reviews TO broadside_reader;

--
-- Name: COLUMN reviews.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(post_id) ON TABLE public.reviews TO broadside_worker;

--
-- Name: COLUMN reviews.edit; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(edit) ON TABLE public.reviews TO broadside_worker;

--
-- Name: COLUMN reviews.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.reviews TO broadside_worker;

--
-- Name: COLUMN reviews.reason; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(reason) ON TABLE public.reviews TO broadside_worker;

--
-- Name: COLUMN reviews.opened_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(opened_at) ON TABLE public.reviews TO broadside_worker;

--
-- Name: COLUMN reviews.fee_returned_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(fee_returned_at) ON TABLE public.reviews TO broadside_worker;

--
-- Name: COLUMN reviews.decided_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(decided_at) ON TABLE public.reviews TO broadside_worker;
GRANT UPDATE(decided_at) ON TABLE public.reviews TO broadside_operator;

--
-- Name: COLUMN reviews.outcome; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(outcome) ON TABLE public.reviews TO broadside_worker;
GRANT UPDATE(outcome) ON TABLE public.reviews TO broadside_operator;

--
-- Name: COLUMN reviews.told_waiting_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(told_waiting_at) ON TABLE public.reviews TO broadside_worker;

--
-- Name: COLUMN reviews.told_decided_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(told_decided_at) ON TABLE public.reviews TO broadside_worker;

--
-- Name: TABLE schema_migrations; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.schema_migrations TO broadside_api;
GRANT SELECT ON TABLE public.schema_migrations TO broadside_worker;
GRANT SELECT ON TABLE public.schema_migrations TO broadside_owner_page;
GRANT SELECT ON TABLE public.schema_migrations TO broadside_operator;
GRANT SELECT ON TABLE public.schema_migrations TO broadside_reader;
GRANT SELECT ON TABLE public.schema_migrations TO broadside_desk;

--
-- Name: TABLE search_entries; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.search_entries TO broadside_api;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.search_entries TO broadside_worker;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.search_entries TO broadside_operator;
GRANT SELECT ON TABLE public.search_entries TO broadside_reader;

--
-- Name: TABLE shelf_entries; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shelf_entries TO broadside_worker;
GRANT SELECT ON TABLE public.shelf_entries TO broadside_reader;

--
-- Name: TABLE shelves; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.shelves TO broadside_worker;
GRANT SELECT ON TABLE public.shelves TO broadside_reader;

--
-- Name: TABLE signing_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.signing_keys TO broadside_worker;
GRANT SELECT ON TABLE public.signing_keys TO broadside_api;
GRANT SELECT ON TABLE public.signing_keys TO broadside_owner_page;
GRANT SELECT ON TABLE public.signing_keys TO broadside_desk;
GRANT SELECT ON TABLE public.signing_keys TO broadside_operator;
GRANT SELECT ON TABLE public.signing_keys TO broadside_reader;

--
-- Name: TABLE spent_challenges; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.spent_challenges TO broadside_desk;
GRANT SELECT,DELETE ON TABLE public.spent_challenges TO broadside_worker;

--
-- Name: TABLE staff; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.staff TO broadside_desk;
GRANT SELECT ON TABLE public.staff TO broadside_worker;
GRANT SELECT,INSERT ON TABLE public.staff TO broadside_operator;

--
-- Name: COLUMN staff.id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(id) ON TABLE public.staff TO broadside_reader;

--
-- Name: COLUMN staff.name; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(name) ON TABLE public.staff TO broadside_operator;

--
-- Name: COLUMN staff.role; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(role) ON TABLE public.staff TO broadside_desk;
GRANT UPDATE(role) ON TABLE public.staff TO broadside_operator;
GRANT SELECT(role) ON TABLE public.staff TO broadside_reader;

--
-- Name: COLUMN staff.invited_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(invited_at) ON TABLE public.staff TO broadside_reader;

--
-- Name: COLUMN staff.disabled_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(disabled_at) ON TABLE public.staff TO broadside_desk;
GRANT UPDATE(disabled_at) ON TABLE public.staff TO broadside_operator;
GRANT SELECT(disabled_at) ON TABLE public.staff TO broadside_reader;

--
-- Name: TABLE staff_links; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.staff_links TO broadside_desk;
GRANT SELECT ON TABLE public.staff_links TO broadside_worker;
GRANT SELECT ON TABLE public.staff_links TO broadside_operator;

--
-- Name: COLUMN staff_links.staff_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(staff_id) ON TABLE public.staff_links TO broadside_operator;

--
-- Name: COLUMN staff_links.asked_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(asked_at) ON TABLE public.staff_links TO broadside_operator;

--
-- Name: COLUMN staff_links.token_hash; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(token_hash) ON TABLE public.staff_links TO broadside_worker;

--
-- Name: COLUMN staff_links.expires_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(expires_at) ON TABLE public.staff_links TO broadside_worker;
GRANT UPDATE(expires_at) ON TABLE public.staff_links TO broadside_operator;

--
-- Name: COLUMN staff_links.used_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(used_at) ON TABLE public.staff_links TO broadside_desk;

--
-- Name: TABLE staff_sessions; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.staff_sessions TO broadside_desk;
GRANT SELECT,DELETE ON TABLE public.staff_sessions TO broadside_worker;
GRANT SELECT ON TABLE public.staff_sessions TO broadside_operator;

--
-- Name: COLUMN staff_sessions.last_seen_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(last_seen_at) ON TABLE public.staff_sessions TO broadside_desk;

--
-- Name: COLUMN staff_sessions.ended_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(ended_at) ON TABLE public.staff_sessions TO broadside_desk;
GRANT UPDATE(ended_at) ON TABLE public.staff_sessions TO broadside_operator;

--
-- Name: TABLE stream_entries; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.stream_entries TO broadside_api;
GRANT SELECT,DELETE ON TABLE public.stream_entries TO broadside_worker;
GRANT SELECT ON TABLE public.stream_entries TO broadside_operator;
GRANT SELECT ON TABLE public.stream_entries TO broadside_reader;

--
-- Name: TABLE unlisted_posts; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.unlisted_posts TO broadside_worker;
GRANT SELECT ON TABLE public.unlisted_posts TO broadside_reader;

--
-- Name: TABLE webhook_secrets; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT,DELETE ON TABLE public.webhook_secrets TO broadside_api;
GRANT SELECT,DELETE ON TABLE public.webhook_secrets TO broadside_worker;
GRANT SELECT ON TABLE public.webhook_secrets TO broadside_operator;
GRANT DELETE ON TABLE public.webhook_secrets TO broadside_owner_page;

--
-- Name: COLUMN webhook_secrets.webhook_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(webhook_id) ON TABLE public.webhook_secrets TO broadside_api;
GRANT SELECT(webhook_id) ON TABLE public.webhook_secrets TO broadside_owner_page;

--
-- Name: COLUMN webhook_secrets.number; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(number) ON TABLE public.webhook_secrets TO broadside_api;

--
-- Name: COLUMN webhook_secrets.sealed; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(sealed) ON TABLE public.webhook_secrets TO broadside_operator;

--
-- Name: COLUMN webhook_secrets.key_id; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(key_id) ON TABLE public.webhook_secrets TO broadside_operator;

--
-- Name: COLUMN webhook_secrets.retires_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(retires_at),UPDATE(retires_at) ON TABLE public.webhook_secrets TO broadside_api;

--
-- Name: TABLE webhooks; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.webhooks TO broadside_api;
GRANT SELECT,DELETE ON TABLE public.webhooks TO broadside_worker;
GRANT SELECT ON TABLE public.webhooks TO broadside_operator;
GRANT SELECT ON TABLE public.webhooks TO broadside_reader;
GRANT SELECT ON TABLE public.webhooks TO broadside_owner_page;

--
-- Name: COLUMN webhooks.id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(id) ON TABLE public.webhooks TO broadside_api;

--
-- Name: COLUMN webhooks.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.webhooks TO broadside_api;

--
-- Name: COLUMN webhooks.slot; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(slot) ON TABLE public.webhooks TO broadside_api;

--
-- Name: COLUMN webhooks.url; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(url) ON TABLE public.webhooks TO broadside_api;

--
-- Name: COLUMN webhooks.events; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(events) ON TABLE public.webhooks TO broadside_api;

--
-- Name: COLUMN webhooks.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at) ON TABLE public.webhooks TO broadside_api;

--
-- Name: COLUMN webhooks.deleted_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(deleted_at) ON TABLE public.webhooks TO broadside_api;
GRANT UPDATE(deleted_at) ON TABLE public.webhooks TO broadside_owner_page;

--
-- Name: COLUMN webhooks.changes; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(changes) ON TABLE public.webhooks TO broadside_api;
GRANT UPDATE(changes) ON TABLE public.webhooks TO broadside_owner_page;

--
-- Name: COLUMN webhooks.disabled_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(disabled_at) ON TABLE public.webhooks TO broadside_worker;

--
-- Name: COLUMN webhooks.disabled_because; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(disabled_because) ON TABLE public.webhooks TO broadside_worker;

--
-- Name: COLUMN webhooks.failing_since; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(failing_since) ON TABLE public.webhooks TO broadside_worker;

--
-- Name: COLUMN webhooks.timeouts; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(timeouts) ON TABLE public.webhooks TO broadside_worker;

--
-- Name: COLUMN webhooks.proven_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(proven_at) ON TABLE public.webhooks TO broadside_worker;

--
-- Name: TABLE withdrawals; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE ON TABLE public.withdrawals TO broadside_worker;
GRANT SELECT,INSERT,DELETE ON TABLE public.withdrawals TO broadside_operator;
GRANT INSERT ON TABLE public.withdrawals TO broadside_api;
GRANT SELECT ON TABLE public.withdrawals TO broadside_reader;

--
-- Name: COLUMN withdrawals.post_id; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(post_id) ON TABLE public.withdrawals TO broadside_api;

--
-- Name: COLUMN withdrawals.withdrawn_at; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(withdrawn_at) ON TABLE public.withdrawals TO broadside_api;

--
-- PostgreSQL database dump complete
--
