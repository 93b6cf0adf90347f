import { waitUntilWorkersSeeChange } from '../../webhooks/delivery/worker-lease.ts'
import type { OwnerParts } from '../route.ts'

/**
 * Waits until the workers know that the endpoints are deleted, so that no new attempt starts. Never throws: the
 * endpoints are deleted even if the wait fails.
 */
export async function waitForWorkers({ db, logger }: Pick<OwnerParts, 'db' | 'logger'>, webhookIds: readonly string[]) {
  try {
    await Promise.all(webhookIds.map((id) => waitUntilWorkersSeeChange(db, id)))
  } catch (error) {
    logger.error({ error }, 'could not wait for deliveries to a deleted endpoint')
  }
}
