import { enqueue } from '../../jobs/enqueue.ts'
import type { JobPayload } from '../../jobs/jobs.ts'
import { jobKey, jobOfLane, laneOf } from '../../jobs/moderation-lanes.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { decideByRules } from '../decisions/decision-table.ts'
import { canonicalise, canonicalParts } from './canonicalise.ts'
import { readRules, rulesAlone } from './judge-in-stages.ts'
import { conclude, judged, type Moderation, readModerationCase } from './moderate-post.ts'

/**
 * Decides a queued post or edit if the rules alone can, and otherwise enqueues it for the model, so that the model is
 * not started unnecessarily. Does nothing if it is no longer queued.
 */
export async function screenPost(moderation: Moderation, { post_id, edit }: JobPayload<'screen-post'>): Promise<void> {
  const found = await readModerationCase(moderation, post_id, edit)
  if (!found) return
  const { post, accountId, windows } = found
  const rules = readRules({ texts: canonicalParts(post.texts), authorName: canonicalise(post.authorName) }, post.texts)
  if (decideByRules(rules)) {
    // The rules treat all accounts alike.
    const judgement = judged(rulesAlone(rules), windows, { treatedAs: 'new', because: [] })
    return conclude(moderation, found, async () => judgement, 0)
  }
  const options = { once: jobKey(post_id, edit), share: { account: accountId, windows } }
  await inTransaction(moderation.db, (tx) => enqueue(tx, jobOfLane[laneOf(windows)], { post_id, edit }, options))
}
