import type pg from 'pg'

/** Statements of one session, in one transaction unless they cannot run in one. */
export type Task = { name: string; statements: string[]; isOutsideTransaction?: boolean }

/** Runs tasks in this many sessions, in the given order, and reports each on standard error. */
export async function runTasks(pool: pg.Pool, { lanes, tasks }: { lanes: number; tasks: Task[] }): Promise<void> {
  const waiting = tasks.values()
  let done = 0
  const lane = async () => {
    for (const task of waiting) {
      const startedAt = performance.now()
      await runTask(pool, task)
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
      process.stderr.write(`${task.name}: ${seconds} s (${++done} of ${tasks.length})\n`)
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
  for (const one of ended) if (one.status === 'rejected') throw one.reason
}

/** The server's defaults are far too low for the word index and for sorting millions of rows. */
const memory = `set maintenance_work_mem = '1GB'; set work_mem = '256MB'; set max_parallel_maintenance_workers = 0`

async function runTask(pool: pg.Pool, { name, statements, isOutsideTransaction = false }: Task): Promise<void> {
  const session = await pool.connect()
  try {
    await session.query(memory)
    if (!isOutsideTransaction) await session.query('begin')
    for (const statement of statements) await session.query(statement)
    if (!isOutsideTransaction) await session.query('commit')
    session.release()
  } catch (cause) {
    session.release(true)
    throw new Error(`${name} failed: ${(cause as Error).message}`, { cause })
  }
}
