import type { DB } from '../../../generated/database-types.ts'

type StoredTable = {
  /** Why its rows stay; null if they expire, by an entry of `periods.ts`. */
  staysBecause: string | null
  /** What deleting an account does to its rows; null if no row belongs to an account. */
  onAccountDeletion: AccountDeletion | null
}

type AccountDeletion = {
  /**
   * `deleted`: no row is left. `erased`: rows stay without anything personal. `kept`: rows stay as they are, by identifier.
   * What expires is deleted in its time.
   */
  does: 'deleted' | 'erased' | 'kept'
  /** `at once`: in the owner's transaction, by `close_account`. `by the job`: `clear-closed-account`, within minutes. */
  when: 'at once' | 'by the job' | null
}

const expires = null
const noAccount = { onAccountDeletion: null } as const
const deletedAtOnce = { onAccountDeletion: { does: 'deleted', when: 'at once' } } as const
const deletedByJob = { onAccountDeletion: { does: 'deleted', when: 'by the job' } } as const
const erasedAtOnce = { onAccountDeletion: { does: 'erased', when: 'at once' } } as const
const erasedByJob = { onAccountDeletion: { does: 'erased', when: 'by the job' } } as const
const kept = { onAccountDeletion: { does: 'kept', when: null } } as const

const books = 'The ledger must always balance.'
const publicPosts = 'It follows the published posts: it is changed and deleted with them.'
const onePerAccount = 'It is part of the account.'
const decisions = 'Decisions must remain traceable and countable. Only codes, scores and times are kept, no text.'
const staff = 'Decisions stay attributable to the staff member who made them.'
const logged = 'The transparency log is append-only. It holds salted hashes, and the salts are deleted.'
const machine = 'It holds the current state only and does not grow.'

/**
 * Every table of the database: why it stays or that it expires, and what deleting an account does to it. A new table does
 * not compile without an entry. docs/erasure.md explains account deletion in words.
 */
export const storedTables = {
  abuse_refusals: { staysBecause: 'Each row is a strike in force; reversing a strike deletes its row.', ...kept },
  accounts: { staysBecause: 'Posts and the ledger refer to it.', ...erasedAtOnce },
  allowance_uses: { staysBecause: expires, ...deletedAtOnce },
  api_keys: { staysBecause: onePerAccount, ...deletedAtOnce },
  appeals: { staysBecause: 'A post can be appealed once.', ...erasedAtOnce },
  applied_migrations: { staysBecause: 'It says which migrations have run.', ...noAccount },
  audit_chain: { staysBecause: 'It proves that the audit log is complete.', ...noAccount },
  audit_head: { staysBecause: 'It proves that the audit log is complete.', ...noAccount },
  audit_log: { staysBecause: 'It records who did what. A hash chain covers every row.', ...kept },
  audit_samples: { staysBecause: decisions, ...kept },
  balances: { staysBecause: books, ...kept },
  case_definition: { staysBecause: 'It is a view of posts, decisions, appeals and reports.', ...kept },
  cdn_purges: { staysBecause: 'A worker deletes its rows when the CDN has accepted them.', ...noAccount },
  closed_logs: { staysBecause: logged, ...noAccount },
  counted_days: { staysBecause: 'Published statistics never change.', ...noAccount },
  decision_proofs: { staysBecause: 'The author can prove what was decided.', ...deletedByJob },
  deliveries: { staysBecause: expires, ...deletedByJob },
  delivery_lanes: { staysBecause: 'It is deleted with its endpoint.', ...kept },
  delivery_workers: { staysBecause: 'It is deleted when its worker ends.', ...noAccount },
  desk_claims: { staysBecause: expires, ...noAccount },
  desk_decisions: { staysBecause: decisions, ...kept },
  desk_skips: { staysBecause: expires, ...noAccount },
  development_clock: { staysBecause: machine, ...noAccount },
  draft_links: { staysBecause: expires, ...deletedAtOnce },
  drafts: { staysBecause: expires, ...deletedAtOnce },
  // Written by triggers; the worker deletes a row once it is in the erasure log.
  erasures: { staysBecause: 'A worker moves its rows to the erasure log within a second.', ...kept },
  event_positions: { staysBecause: 'It numbers the account’s events, and a number is never used twice.', ...kept },
  events: { staysBecause: 'An account can read its whole log of events.', ...deletedByJob },
  idempotent_answers: { staysBecause: expires, ...deletedByJob },
  key_spending: { staysBecause: expires, ...kept },
  ledger_entries: { staysBecause: 'It is a view of ledger_transfers.', ...kept },
  ledger_transfers: { staysBecause: books, ...kept },
  listing_pages: { staysBecause: 'It is deleted with its listing.', ...noAccount },
  log_audit_heads: { staysBecause: logged, ...noAccount },
  log_checkpoints: { staysBecause: logged, ...noAccount },
  log_entries: { staysBecause: logged, ...noAccount },
  log_head: { staysBecause: machine, ...noAccount },
  log_queue: { staysBecause: expires, ...noAccount },
  log_tile_hashes: { staysBecause: logged, ...noAccount },
  model_status: { staysBecause: machine, ...noAccount },
  moderation_days: { staysBecause: 'Published statistics never change.', ...noAccount },
  moderation_decisions: { staysBecause: decisions, ...kept },
  // A case leaves the table when it is decided; only checks and audits expire.
  open_cases: { staysBecause: expires, ...kept },
  mailbox_codes: { staysBecause: expires, ...deletedAtOnce },
  oauth_access_tokens: { staysBecause: expires, ...deletedAtOnce },
  oauth_clients: { staysBecause: expires, ...noAccount },
  oauth_requests: { staysBecause: expires, ...deletedAtOnce },
  oauth_sessions: { staysBecause: expires, ...deletedAtOnce },
  owner_codes: { staysBecause: expires, ...deletedAtOnce },
  owner_link_mails: { staysBecause: expires, ...deletedAtOnce },
  owner_links: { staysBecause: expires, ...deletedAtOnce },
  owner_sessions: { staysBecause: expires, ...deletedAtOnce },
  owner_visits: { staysBecause: expires, ...deletedAtOnce },
  passkeys: { staysBecause: staff, ...noAccount },
  payment_customers: { staysBecause: onePerAccount, ...deletedByJob },
  payment_disputes: { staysBecause: books, ...kept },
  payment_refunds: { staysBecause: books, ...kept },
  payments: { staysBecause: books, ...kept },
  post_edits: { staysBecause: 'The number of an edit is never used twice. Only texts expire.', ...erasedByJob },
  post_proofs: { staysBecause: publicPosts, ...kept },
  post_signatures: { staysBecause: expires, ...kept },
  posts: {
    staysBecause: 'Published posts are public for good; others leave a tombstone without text.',
    ...erasedByJob,
  },
  provider_events: { staysBecause: expires, ...noAccount },
  publications: { staysBecause: publicPosts, ...kept },
  published_before: { staysBecause: onePerAccount, ...deletedAtOnce },
  reader_messages: { staysBecause: expires, ...deletedAtOnce },
  relayed_messages: { staysBecause: expires, ...erasedAtOnce },
  replica_beats: { staysBecause: machine, ...noAccount },
  report_cases: { staysBecause: decisions, ...kept },
  reports: { staysBecause: 'Its category is part of a case. Only texts expire.', ...erasedAtOnce },
  review_mails: { staysBecause: onePerAccount, ...kept },
  review_pace: { staysBecause: machine, ...noAccount },
  reviews: { staysBecause: decisions, ...kept },
  schema_migrations: { staysBecause: 'It says which migrations have run.', ...noAccount },
  search_entries: { staysBecause: publicPosts, ...kept },
  shelf_entries: { staysBecause: publicPosts, ...kept },
  shelves: { staysBecause: expires, ...noAccount },
  signing_keys: { staysBecause: 'Old signatures must remain verifiable.', ...noAccount },
  spent_challenges: { staysBecause: expires, ...noAccount },
  staff: { staysBecause: staff, ...noAccount },
  staff_links: { staysBecause: 'It says who was invited when. Its token is a hash and works once.', ...noAccount },
  staff_sessions: { staysBecause: expires, ...noAccount },
  stream_entries: { staysBecause: expires, ...kept },
  unlisted_posts: { staysBecause: publicPosts, ...kept },
  webhook_secrets: { staysBecause: expires, ...deletedAtOnce },
  webhooks: { staysBecause: expires, ...erasedAtOnce },
  withdrawals: { staysBecause: expires, ...kept },
} as const satisfies Record<keyof DB, StoredTable>

export type TableName = keyof typeof storedTables

/** By a dynamic name. */
export const storedTable = (name: TableName): StoredTable => storedTables[name]
