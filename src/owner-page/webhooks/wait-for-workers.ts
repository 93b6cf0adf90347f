import { waitUntilWorkersSeeChange } from '../../webhooks/delivery/worker-lease.ts'
import type { OwnerParts } from '../route.ts'

/**
 * Waits until nothing is sent any more to endpoints that have been ended. Whatever becomes of the waiting, they have been:
 * an answer that says otherwise would be wrong.
 */
export async function waitForWorkers({ db, logger }: Pick<OwnerParts, 'db' | 'logger'>, webhookIds: readonly string[]) {
  try {
    await Promise.all(webhookIds.map((id) => waitUntilWorkersSeeChange(db, id)))
  } catch (error) {
    logger.error({ error }, 'workers that send to an ended endpoint were not waited for')
  }
}
