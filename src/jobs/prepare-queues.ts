import type { PgBoss, Queue, UpdateQueueOptions } from 'pg-boss'
import { makeBoss } from './connect-worker.ts'
import { queues } from './queues.ts'

/**
 * Creates or updates the queues and schedules in `queues`, and stops removed scheduled jobs. Runs as the migrator, after
 * the migrations.
 */
export async function prepareQueues(url: string): Promise<void> {
  const boss = await makeBoss({
    connectionString: url,
    application_name: 'broadside migrate',
    max: 1,
    supervise: false,
    schedule: false,
  })
  // A broken connection makes the current call fail. Without a listener, the event would also end the process.
  boss.on('error', () => {})
  try {
    await boss.start()
    for (const queue of queues) await prepareQueue(boss, queue)
    for (const { name } of await boss.getSchedules())
      if (!queues.some((queue) => queue.name === name && queue.schedule)) await boss.unschedule(name)
    // Only scheduled jobs have this policy. The queue itself stays: a worker of the last version may still poll it.
    for (const { name, policy } of await boss.getQueues())
      if (policy === 'exclusive' && !queues.some((queue) => queue.name === name)) await boss.deleteQueuedJobs(name)
  } finally {
    await boss.stop({ graceful: false })
  }
}

async function prepareQueue(boss: PgBoss, { name, schedule, options }: (typeof queues)[number]): Promise<void> {
  const { policy, ...changeable } = options
  const existing = await boss.getQueue(name)
  if (!existing) await boss.createQueue(name, options as Queue)
  else if (existing.policy === policy) await boss.updateQueue(name, changeable as UpdateQueueOptions)
  else
    throw new Error(
      `The queue ${name} has the policy ${existing.policy} instead of ${policy}. Write a migration to change it.`,
    )
  if (schedule) await boss.schedule(name, schedule, {}, { tz: 'UTC' })
}
