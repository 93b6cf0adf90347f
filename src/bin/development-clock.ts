import type { Pool } from 'pg'
import { type Clock, offsetClock, systemClock } from '../platform/clock.ts'
import type { Logger } from '../platform/observability/logger.ts'

export type RunningClock = Clock & AsyncDisposable

type Options = { pool: Pool; environment: string; logger: Logger }

/** The system clock in production; elsewhere a clock that `broadside clock advance` moves in all processes. */
export async function startClock({ pool, environment, logger }: Options): Promise<RunningClock> {
  if (environment === 'production') return { ...systemClock, [Symbol.asyncDispose]: async () => {} }
  const clock = offsetClock()
  const listening = await listen(pool, async () => clock.setOffset(await readClockOffset(pool)), logger)
  return { now: clock.now, [Symbol.asyncDispose]: listening.stop }
}

/** The development clock's offset from real time, in milliseconds. */
export async function readClockOffset(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ offset_ms: number }>('select offset_ms from development_clock')
  return rows[0]?.offset_ms ?? 0
}

/** Calls `onChange` now and on each notification. Reconnects and reads the offset again if the connection is lost. */
async function listen(pool: Pool, onChange: () => Promise<void>, logger: Logger) {
  let stopped = false
  let close = () => {}
  const reopen = () => {
    setTimeout(() => open().catch(reopen), 1_000).unref()
  }
  async function open() {
    if (stopped) return
    const client = await pool.connect()
    let isReleased = false
    let isListening = false
    close = () => {
      if (!isReleased) client.release(true)
      isReleased = true
    }
    client.on('notification', () => onChange().catch((error) => logger.warn({ error }, 'could not read the clock')))
    // A broken connection may emit several errors; only the first one reconnects.
    client.on('error', () => {
      if (isListening && !isReleased) reopen()
      close()
    })
    try {
      await client.query('listen development_clock')
      await onChange()
      if (stopped || isReleased) throw new Error('the connection closed before LISTEN completed')
      isListening = true
    } catch (error) {
      close()
      throw error
    }
  }
  await open()
  return {
    stop: async () => {
      stopped = true
      close()
    },
  }
}
