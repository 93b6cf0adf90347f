import type { Database } from '../../platform/database/database.ts'
import { shortTitle } from '../posts/post-labels.ts'
import { defineOwnerRoute } from '../route.ts'
import { chargeWords, effectMicros } from './charges-table.ts'
import { csvLine } from './csv.ts'
import { type ListedCharge, listCharges } from './list-charges.ts'

/** Small, because each row can contain a long post. */
const batch = 100

/** All transactions, newest first, for spreadsheets and accounting. */
export const exportCharges = defineOwnerRoute({
  method: 'GET',
  path: '/account/charges.csv',
  needs: 'session',
  answer: ({ db, clock, session: { accountId } }) => ({
    file: linesOf(db, accountId),
    type: 'text/csv; charset=utf-8; header=present',
    name: `broadside-transactions-${clock.now().toISOString().slice(0, 10)}.csv`,
  }),
})

const columns = [
  'id',
  'time',
  'type',
  'description',
  'site',
  'post_id',
  'post_title',
  'key',
  'amount_usd',
  'amount_micros',
]

/** Reads one batch at a time, when the browser has taken the last one. */
async function* linesOf(db: Database, accountId: string): AsyncGenerator<string> {
  yield csvLine(columns)
  let before: string | null = null
  for (;;) {
    const charges: ListedCharge[] = await listCharges(db, { accountId, before, limit: batch })
    if (charges.length > 0) yield charges.map(lineOf).join('')
    if (charges.length < batch) return
    before = charges.at(-1)?.id ?? null
  }
}

function lineOf(charge: ListedCharge): string {
  const { id, entered_at, reason, kind, content, post_id, key_name } = charge
  const micros = effectMicros(charge)
  return csvLine([
    ...[id, entered_at.toISOString(), reason, chargeWords(charge), kind, post_id],
    post_id && kind ? shortTitle({ kind, content }) : null,
    ...[key_name, (micros / 1_000_000).toFixed(6), micros],
  ])
}
