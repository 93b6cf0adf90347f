import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import { sql } from 'kysely'
import type { Call, Caller, RememberedAnswer } from '../contract/call.ts'
import { Problem } from '../contract/problems/problem.ts'
import { expiryCutoff, keptFor } from '../contract/retention/periods.ts'
import { isLockTimeout, missingColumn, type Transaction } from '../platform/database/database.ts'
import { inBatches, type Purge } from '../platform/repeat.ts'

export type Replay = RememberedAnswer

type Request = { call: Call; caller: Caller; key: string; fingerprint: Buffer }

/** Makes a call with an Idempotency-Key run once; null if the request has no key. */
export function onceFor(call: Call, rawBody: unknown) {
  if (call.idempotencyKey === null || !call.caller) return null
  const { caller } = call
  const request = { call, caller, key: readKey(call.idempotencyKey), fingerprint: fingerprintOf(rawBody) }
  return {
    find: () => findAnswer(request),
    remember: (tx: Transaction, answer: RememberedAnswer) => claim(tx, request, answer),
  }
}

/** Accepts the header unquoted or as a quoted structured string. */
function readKey(header: string): string {
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(header.trim())?.[1]
  const key = quoted === undefined ? header.trim() : quoted.replaceAll(/\\(["\\])/g, '$1')
  if (/^[\x20-\x7e]{8,128}$/.test(key) && key.trim() === key) return key
  throw new Problem(
    'invalid_idempotency_key',
    'Send 8 to 128 printable ASCII characters, with or without double quotes.',
  )
}

/** The same JSON with a different order or spacing is the same body (RFC 8785). */
function fingerprintOf(body: unknown): Buffer {
  return createHash('sha256')
    .update(canonicalize(body) ?? '')
    .digest()
}

/** The first response to this request, if there is one. Refuses the same key with another body. */
async function findAnswer({ call, caller, key, fingerprint }: Request): Promise<Replay | null> {
  const row = await call.db
    .selectFrom('idempotent_answers')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('account_id', '=', caller.accountId)
    .where('site', '=', call.site)
    .where('path', '=', call.path)
    .where('key', '=', key)
    .where('created_at', '>', expiryCutoff('idempotent-answers', call.clock.now()))
    .executeTakeFirst()
  if (!row) return null
  if (!row.fingerprint.equals(fingerprint))
    throw new Problem(
      'idempotency_key_reused',
      `This Idempotency-Key was already used with a different request in the last ${keptFor('idempotent-answers')}. ` +
        'Use a new key, such as a UUID, for a new request.',
    )
  return { status: row.status, headers: row.headers as Record<string, string>, body: JSON.parse(row.body) }
}

/** Another call with this key finished first. This transaction rolls back, and the first response can be read. */
export class AnsweredBefore extends Error {}

/**
 * Claims the key together with the response. A second call waits here: if the first one commits, it finds the response;
 * if the first one rolls back, it proceeds. An expired response is replaced. One that has not expired ends the
 * transaction, because its time would become null.
 */
async function claim(tx: Transaction, request: Request, { status, headers, body }: RememberedAnswer): Promise<void> {
  const { call, caller, key, fingerprint } = request
  const at = call.clock.now()
  const stillValid = expiryCutoff('idempotent-answers', at)
  await sql`
    insert into idempotent_answers as first (account_id, site, path, key, fingerprint, status, headers, body, created_at)
    values (${caller.accountId}, ${call.site}, ${call.path}, ${key}, ${fingerprint}, ${status},
      ${JSON.stringify(headers)}, ${JSON.stringify(body)}, ${at})
    on conflict on constraint answered_once do update set
      fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers, body = excluded.body,
      created_at = case when first.created_at <= ${stillValid} then excluded.created_at end`
    .execute(tx)
    .catch((error) => {
      if (missingColumn(error) === 'idempotent_answers.created_at') throw new AnsweredBefore()
      throw isLockTimeout(error) ? inProgress(error) : error
    })
}

const inProgress = (cause: unknown) =>
  new Problem('idempotency_in_progress', 'The first request with this Idempotency-Key has not finished yet.', {
    headers: { 'retry-after': '1' },
    cause,
  })

/** Deletes responses that are too old to be replayed. */
export const deleteExpiredAnswers: Purge = (db, at) =>
  inBatches(
    db,
    (batch) => sql`
      delete from idempotent_answers where (account_id, site, path, key) in (
        select account_id, site, path, key from idempotent_answers
        where created_at <= ${expiryCutoff('idempotent-answers', at)}
        order by created_at limit ${batch} for update skip locked
      )`,
  )
