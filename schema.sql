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
-- Name: key_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.key_id AS text COLLATE pg_catalog."C"
	CONSTRAINT key_id_check CHECK ((VALUE ~ '^key_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

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
    'operator_credit'
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
    'debit'
);

--
-- Name: micros; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.micros AS bigint
	CONSTRAINT micros_check CHECK (((VALUE >= '-9007199254740991'::bigint) AND (VALUE <= '9007199254740991'::bigint)));

--
-- Name: transfer_id; Type: DOMAIN; Schema: public; Owner: -
--

CREATE DOMAIN public.transfer_id AS text COLLATE pg_catalog."C"
	CONSTRAINT transfer_id_check CHECK ((VALUE ~ '^txn_[0-7][0-9a-hjkmnp-tv-z]{25}$'::text));

--
-- Name: keep_balance(); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.keep_balance() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
declare
  debt bigint;
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
  if debt > 0 and new.reason in ('post', 'edit', 'search') then
    raise exception 'the account owes money' using errcode = 'check_violation', constraint = 'debt_comes_first';
  end if;
  if new.reason = 'refund' and 0 > (
    select sum(case reason when 'refund' then -amount_micros else amount_micros end) from ledger_transfers
    where subject = new.subject and account_id = new.account_id and reason in ('post', 'edit', 'search', 'refund')
  ) then
    raise exception 'more than was charged' using errcode = 'check_violation', constraint = 'refund_within_charge';
  end if;
  return null;
end $$;

SET default_tablespace = '';

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
-- Name: turn_off_auto_recharge(public.account_id); Type: FUNCTION; Schema: public; Owner: -
--

CREATE FUNCTION public.turn_off_auto_recharge(account public.account_id) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
  update accounts set auto_recharge_enabled = false where id = account
$$;

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
    CONSTRAINT accounts_auto_recharge_amount_micros_check CHECK (((auto_recharge_amount_micros)::bigint > 0)),
    CONSTRAINT accounts_auto_recharge_threshold_micros_check CHECK (((auto_recharge_threshold_micros)::bigint >= 0)),
    CONSTRAINT accounts_strikes_check CHECK ((strikes >= 0))
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
-- Name: api_keys; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.api_keys (
    id public.key_id NOT NULL,
    account_id public.account_id NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    last4 text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    last_used_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT api_keys_hash_check CHECK ((length(hash) = 32)),
    CONSTRAINT api_keys_last4_check CHECK ((length(last4) = 4))
);

--
-- Name: COLUMN api_keys.hash; Type: COMMENT; Schema: public; Owner: -
--

COMMENT ON COLUMN public.api_keys.hash IS 'SHA-256 of the key. The key itself is shown once and stored nowhere.';

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
-- Name: development_clock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.development_clock (
    only_row boolean DEFAULT true NOT NULL,
    offset_ms bigint NOT NULL,
    CONSTRAINT development_clock_only_row_check CHECK (only_row)
);

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
    CONSTRAINT ledger_transfers_amount_micros_check CHECK (((amount_micros)::bigint > 0)),
    CONSTRAINT ledger_transfers_check CHECK ((((from_book = ANY (ARRAY['prepaid'::public.ledger_book, 'owed'::public.ledger_book])) OR (to_book = ANY (ARRAY['prepaid'::public.ledger_book, 'owed'::public.ledger_book]))) = (account_id IS NOT NULL))),
    CONSTRAINT ledger_transfers_part_check CHECK ((part >= 0)),
    CONSTRAINT ledger_transfers_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 80))),
    CONSTRAINT transfer_goes_its_way CHECK ((((((((((((reason = 'post'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'revenue'::public.ledger_book)) OR ((reason = 'edit'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'revenue'::public.ledger_book))) OR ((reason = 'search'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'revenue'::public.ledger_book))) OR ((reason = 'refund'::public.ledger_reason) AND (from_book = 'refunds'::public.ledger_book) AND (to_book = 'prepaid'::public.ledger_book))) OR ((reason = 'penalty'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'penalties'::public.ledger_book))) OR ((reason = 'penalty'::public.ledger_reason) AND (from_book = 'owed'::public.ledger_book) AND (to_book = 'penalties'::public.ledger_book))) OR ((reason = 'settlement'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'owed'::public.ledger_book))) OR ((reason = 'top_up'::public.ledger_reason) AND (from_book = 'provider_clearing'::public.ledger_book) AND (to_book = 'prepaid'::public.ledger_book))) OR ((reason = 'credit'::public.ledger_reason) AND (from_book = 'operator_credit'::public.ledger_book) AND (to_book = 'prepaid'::public.ledger_book))) OR ((reason = 'debit'::public.ledger_reason) AND (from_book = 'prepaid'::public.ledger_book) AND (to_book = 'operator_credit'::public.ledger_book))))
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
-- Name: owner_links; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.owner_links (
    token_hash bytea NOT NULL,
    account_id public.account_id NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT owner_links_token_hash_check CHECK ((length(token_hash) = 32))
);

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
-- Name: audit_log audit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (id);

--
-- Name: balances balances_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_pkey PRIMARY KEY (account_id);

--
-- Name: development_clock development_clock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.development_clock
    ADD CONSTRAINT development_clock_pkey PRIMARY KEY (only_row);

--
-- Name: ledger_transfers ledger_transfers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ledger_transfers
    ADD CONSTRAINT ledger_transfers_pkey PRIMARY KEY (id);

--
-- Name: owner_links owner_links_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owner_links
    ADD CONSTRAINT owner_links_pkey PRIMARY KEY (token_hash);

--
-- Name: schema_migrations schema_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

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
-- Name: api_keys_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX api_keys_by_account ON public.api_keys USING btree (account_id);

--
-- Name: audit_log_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX audit_log_by_account ON public.audit_log USING btree (account_id, id);

--
-- Name: ledger_transfers_by_account; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ledger_transfers_by_account ON public.ledger_transfers USING btree (account_id, id);

--
-- Name: owner_links_by_expiry; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX owner_links_by_expiry ON public.owner_links USING btree (expires_at);

--
-- Name: ledger_transfers keep_balance; Type: TRIGGER; Schema: public; Owner: -
--

CREATE TRIGGER keep_balance AFTER INSERT ON public.ledger_transfers FOR EACH ROW WHEN ((new.account_id IS NOT NULL)) EXECUTE FUNCTION public.keep_balance();

--
-- Name: api_keys api_keys_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

--
-- Name: audit_log audit_log_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

--
-- Name: balances balances_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.balances
    ADD CONSTRAINT balances_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

--
-- Name: owner_links owner_links_account_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.owner_links
    ADD CONSTRAINT owner_links_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.accounts(id);

--
-- Name: ledger_transfers api_books; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_books ON public.ledger_transfers FOR INSERT TO broadside_api WITH CHECK ((reason = ANY (ARRAY['post'::public.ledger_reason, 'edit'::public.ledger_reason, 'search'::public.ledger_reason])));

--
-- Name: audit_log api_signs; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY api_signs ON public.audit_log FOR INSERT TO broadside_api WITH CHECK ((actor ~~ 'owner:%'::text));

--
-- Name: audit_log; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.audit_log ENABLE ROW LEVEL SECURITY;

--
-- Name: ledger_transfers everyone_reads; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY everyone_reads ON public.ledger_transfers FOR SELECT USING (true);

--
-- Name: ledger_transfers; Type: ROW SECURITY; Schema: public; Owner: -
--

ALTER TABLE public.ledger_transfers ENABLE ROW LEVEL SECURITY;

--
-- Name: ledger_transfers operator_books; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator_books ON public.ledger_transfers FOR INSERT TO broadside_operator WITH CHECK ((reason = ANY (ARRAY['credit'::public.ledger_reason, 'debit'::public.ledger_reason, 'settlement'::public.ledger_reason, 'refund'::public.ledger_reason, 'penalty'::public.ledger_reason])));

--
-- Name: audit_log operator_signs; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY operator_signs ON public.audit_log FOR INSERT TO broadside_operator WITH CHECK ((actor ~~ 'operator:%'::text));

--
-- Name: audit_log readers; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY readers ON public.audit_log FOR SELECT USING (true);

--
-- Name: ledger_transfers worker_books; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_books ON public.ledger_transfers FOR INSERT TO broadside_worker WITH CHECK ((reason = ANY (ARRAY['refund'::public.ledger_reason, 'penalty'::public.ledger_reason, 'settlement'::public.ledger_reason, 'top_up'::public.ledger_reason])));

--
-- Name: audit_log worker_signs; Type: POLICY; Schema: public; Owner: -
--

CREATE POLICY worker_signs ON public.audit_log FOR INSERT TO broadside_worker WITH CHECK ((actor ~~ 'system:%'::text));

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

--
-- Name: COLUMN balances.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.balances TO broadside_api;

--
-- Name: FUNCTION lock_balance(id public.account_id); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.lock_balance(id public.account_id) FROM PUBLIC;
GRANT ALL ON FUNCTION public.lock_balance(id public.account_id) TO broadside_api;
GRANT ALL ON FUNCTION public.lock_balance(id public.account_id) TO broadside_worker;
GRANT ALL ON FUNCTION public.lock_balance(id public.account_id) TO broadside_operator;

--
-- Name: FUNCTION turn_off_auto_recharge(account public.account_id); Type: ACL; Schema: public; Owner: -
--

REVOKE ALL ON FUNCTION public.turn_off_auto_recharge(account public.account_id) FROM PUBLIC;
GRANT ALL ON FUNCTION public.turn_off_auto_recharge(account public.account_id) TO broadside_api;

--
-- Name: TABLE accounts; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.accounts TO broadside_reader;
GRANT SELECT ON TABLE public.accounts TO broadside_api;
GRANT SELECT ON TABLE public.accounts TO broadside_operator;

--
-- Name: COLUMN accounts.id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(id) ON TABLE public.accounts TO broadside_api;
GRANT SELECT(id) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.name; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(name) ON TABLE public.accounts TO broadside_api;
GRANT SELECT(name) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.email; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(email) ON TABLE public.accounts TO broadside_api;
GRANT SELECT(email) ON TABLE public.accounts TO broadside_owner_page;

--
-- Name: COLUMN accounts.standing; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT(standing) ON TABLE public.accounts TO broadside_owner_page;
GRANT UPDATE(standing) ON TABLE public.accounts TO broadside_operator;

--
-- Name: COLUMN accounts.strikes; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(strikes) ON TABLE public.accounts TO broadside_operator;

--
-- Name: COLUMN accounts.policy_version; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(policy_version) ON TABLE public.accounts TO broadside_api;

--
-- Name: COLUMN accounts.deletion_requested_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(deletion_requested_at) ON TABLE public.accounts TO broadside_api;

--
-- Name: COLUMN accounts.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at) ON TABLE public.accounts TO broadside_api;

--
-- Name: TABLE allowance_uses; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.allowance_uses TO broadside_api;
GRANT SELECT ON TABLE public.allowance_uses TO broadside_reader;

--
-- Name: TABLE api_keys; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.api_keys TO broadside_reader;
GRANT SELECT ON TABLE public.api_keys TO broadside_api;
GRANT SELECT ON TABLE public.api_keys TO broadside_operator;

--
-- Name: COLUMN api_keys.id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(id) ON TABLE public.api_keys TO broadside_api;

--
-- Name: COLUMN api_keys.account_id; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(account_id) ON TABLE public.api_keys TO broadside_api;

--
-- Name: COLUMN api_keys.name; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(name) ON TABLE public.api_keys TO broadside_api;

--
-- Name: COLUMN api_keys.hash; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(hash) ON TABLE public.api_keys TO broadside_api;

--
-- Name: COLUMN api_keys.last4; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(last4) ON TABLE public.api_keys TO broadside_api;

--
-- Name: COLUMN api_keys.created_at; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT(created_at) ON TABLE public.api_keys TO broadside_api;

--
-- Name: COLUMN api_keys.last_used_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(last_used_at) ON TABLE public.api_keys TO broadside_api;

--
-- Name: COLUMN api_keys.revoked_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(revoked_at) ON TABLE public.api_keys TO broadside_operator;

--
-- Name: TABLE audit_log; Type: ACL; Schema: public; Owner: -
--

GRANT INSERT ON TABLE public.audit_log TO broadside_api;
GRANT INSERT ON TABLE public.audit_log TO broadside_worker;
GRANT SELECT,INSERT ON TABLE public.audit_log TO broadside_operator;
GRANT SELECT ON TABLE public.audit_log TO broadside_reader;

--
-- Name: TABLE development_clock; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.development_clock TO broadside_api;
GRANT SELECT ON TABLE public.development_clock TO broadside_worker;
GRANT SELECT ON TABLE public.development_clock TO broadside_owner_page;
GRANT SELECT ON TABLE public.development_clock TO broadside_reader;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.development_clock TO broadside_operator;

--
-- Name: TABLE ledger_transfers; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT,INSERT ON TABLE public.ledger_transfers TO broadside_api;
GRANT SELECT,INSERT ON TABLE public.ledger_transfers TO broadside_worker;
GRANT SELECT,INSERT ON TABLE public.ledger_transfers TO broadside_operator;
GRANT SELECT ON TABLE public.ledger_transfers TO broadside_reader;

--
-- Name: TABLE ledger_entries; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.ledger_entries TO broadside_api;
GRANT SELECT ON TABLE public.ledger_entries TO broadside_worker;
GRANT SELECT ON TABLE public.ledger_entries TO broadside_operator;
GRANT SELECT ON TABLE public.ledger_entries TO broadside_reader;

--
-- Name: TABLE owner_links; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.owner_links TO broadside_reader;
GRANT SELECT,INSERT,DELETE ON TABLE public.owner_links TO broadside_api;
GRANT SELECT ON TABLE public.owner_links TO broadside_owner_page;

--
-- Name: COLUMN owner_links.expires_at; Type: ACL; Schema: public; Owner: -
--

GRANT UPDATE(expires_at) ON TABLE public.owner_links TO broadside_api;

--
-- Name: TABLE schema_migrations; Type: ACL; Schema: public; Owner: -
--

GRANT SELECT ON TABLE public.schema_migrations TO broadside_api;
GRANT SELECT ON TABLE public.schema_migrations TO broadside_worker;
GRANT SELECT ON TABLE public.schema_migrations TO broadside_owner_page;
GRANT SELECT ON TABLE public.schema_migrations TO broadside_operator;
GRANT SELECT ON TABLE public.schema_migrations TO broadside_reader;

--
-- PostgreSQL database dump complete
--
