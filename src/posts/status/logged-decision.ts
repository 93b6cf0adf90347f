import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { timestamp } from '../../contract/fields.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { commitmentTo, saltBytes } from '../../transparency-log/entries.ts'

/** The facts of a rejection or removal that the transparency log commits to. Codes only. */
const decisionFacts = z.strictObject({
  post_id: z.string(),
  edit: z.int(),
  outcome: z.string(),
  category: z.string().nullable(),
  automated: z.boolean(),
  policy_version: z.string(),
  decided_at: timestamp,
})

export const loggedDecision = z
  .strictObject({
    origin: z.string().meta({ description: 'The name of the log. It can be closed since.' }),
    index: z.int().nullable().meta({ description: 'The index of the entry; null until the log has it.' }),
    salt: z.string().meta({ description: '32 bytes as base64url.' }),
    decision: decisionFacts.meta({ description: 'What the entry commits to, as canonical JSON.' }),
  })
  .meta({
    description:
      'With it, you can prove that the decision is in the transparency log. Nobody else can: the salt is shown to you only, ' +
      'and is deleted with the post.',
  })

type DecisionRow = {
  post_id: string
  edit: number
  outcome: string
  category: string | null
  automated: boolean
  policy_version: string
  decided_at: Date
}

const factsOf = (row: DecisionRow) => ({
  post_id: row.post_id,
  edit: row.edit,
  outcome: row.outcome,
  category: row.category,
  automated: row.automated,
  policy_version: row.policy_version,
  decided_at: row.decided_at.toISOString(),
})

/** Queues the entry of a rejection or removal for the transparency log. Nothing if there is no log yet. */
export async function logDecision(tx: Transaction, id: number, decision: DecisionRow): Promise<void> {
  const head = await tx.selectFrom('log_head').select('origin').executeTakeFirst()
  if (!head) return
  const salt = randomBytes(saltBytes)
  const commitment = commitmentTo(head.origin, salt, factsOf(decision))
  await sql`
    with queued as (insert into log_queue (type, commitment) values ('decision', ${commitment}) returning id)
    insert into decision_proofs (decision_id, post_id, salt, origin, queue_id)
    select ${id}, ${decision.post_id}, ${salt}, ${head.origin}, id from queued`.execute(tx)
}

/** What the author needs to open the entry; nothing for decisions from before the log. */
export const logEntryOf = (
  row: DecisionRow & { salt: Buffer | null; origin: string | null; entry_index: number | null },
) =>
  row.salt === null || row.origin === null
    ? {}
    : {
        log_entry: {
          ...{ origin: row.origin, index: row.entry_index },
          ...{ salt: row.salt.toString('base64url'), decision: factsOf(row) },
        },
      }

/** The decisions that the open log has not taken up. */
export async function readWaitingDecisions(tx: Transaction) {
  return tx
    .selectFrom('decision_proofs')
    .innerJoin('log_queue', 'log_queue.id', 'decision_proofs.queue_id')
    .innerJoin('moderation_decisions as made', 'made.id', 'decision_proofs.decision_id')
    .select(['made.id', 'made.post_id', 'made.edit', 'made.outcome', 'made.category', 'made.automated'])
    .select(['made.policy_version', 'made.decided_at'])
    .where('log_queue.entry_index', 'is', null)
    .orderBy('made.id')
    .execute()
}

/** Queues decisions again for another log than the one that they waited for. */
export async function logDecisionsAgain(
  tx: Transaction,
  decisions: Awaited<ReturnType<typeof readWaitingDecisions>>,
): Promise<void> {
  for (const { id, ...decision } of decisions) {
    await tx.deleteFrom('decision_proofs').where('decision_id', '=', id).execute()
    await logDecision(tx, id, decision)
  }
}
