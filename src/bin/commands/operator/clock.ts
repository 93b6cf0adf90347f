import { sql } from 'kysely'
import { parseDuration } from '../../../platform/clock.ts'
import { inTransaction } from '../../../platform/database/database.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError, type CommandInput, printJson } from '../../command.ts'
import { asOperator } from '../../operator.ts'

const advanceClock: Command = {
  usage: 'clock advance <duration>',
  summary:
    'Moves the clock of every running process forward, by 90s, 15m, 25h or 7d for example. Not available in production.',
  details:
    'Webhooks are signed with this time too. If it is more than five minutes ahead, a receiver with an accurate clock rejects ' +
    'them as too new. `clock reset` fixes this.',
  run: async (input) => {
    const milliseconds = parseDuration(String(input.values['duration']))
    if (milliseconds === null) throw new CommandError('A duration is a number followed by s, m, h or d, such as 25h.')
    await moveClock(input, { from: 'here', byMs: milliseconds })
  },
}

const resetClock: Command = {
  usage: 'clock reset',
  summary: 'Sets the clock of every running process to the real time. Not available in production.',
  run: (input) => moveClock(input, { from: 'real time', byMs: 0 }),
}

type Move = { from: 'here' | 'real time'; byMs: number }

/** More than anyone needs, and well within the range of dates and identifiers. */
const maxOffsetMs = 100 * 366 * 86_400_000

async function moveClock({ environment }: CommandInput, move: Move): Promise<void> {
  const { BROADSIDE_ENVIRONMENT } = readSettings(environment, ['BROADSIDE_ENVIRONMENT'])
  if (BROADSIDE_ENVIRONMENT === 'production') throw new CommandError('The clock cannot be changed in production.')
  assertNotTooFar(move.byMs)
  await asOperator(environment, (db) =>
    inTransaction(db, async (tx) => {
      const { offset_ms } = await tx
        .insertInto('development_clock')
        .values({ offset_ms: move.byMs })
        .onConflict((conflict) =>
          conflict.column('only_row').doUpdateSet((row) => ({
            offset_ms: move.from === 'here' ? row('development_clock.offset_ms', '+', move.byMs) : move.byMs,
          })),
        )
        .returning('offset_ms')
        .executeTakeFirstOrThrow()
      assertNotTooFar(offset_ms)
      await sql`notify development_clock`.execute(tx)
      printJson({ offset_ms, now: new Date(Date.now() + offset_ms) })
    }),
  )
}

function assertNotTooFar(offsetMs: number): void {
  if (offsetMs > maxOffsetMs) throw new CommandError('That is more than a hundred years ahead. Nothing was changed.')
}

export const commands: readonly Command[] = [advanceClock, resetClock]
