import { sql } from 'kysely'
import { parseDuration } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database.ts'
import { readSettings } from '../../platform/settings.ts'
import { type Command, CommandError, type CommandInput, printJson } from '../command.ts'
import { asOperator } from '../operator.ts'

export const advanceClock: Command = {
  usage: 'clock advance <duration>',
  summary: 'Moves the clock of every running process forward: 90s, 15m, 25h, 7d. Not in production.',
  run: async (input) => {
    const milliseconds = parseDuration(String(input.values['duration']))
    if (milliseconds === null) throw new CommandError('A duration is a number and s, m, h or d: 25h.')
    await moveClock(input, (offset) => offset + milliseconds)
  },
}

export const resetClock: Command = {
  usage: 'clock reset',
  summary: 'Sets the clock of every running process to the real time. Not in production.',
  run: (input) => moveClock(input, () => 0),
}

async function moveClock({ environment }: CommandInput, move: (offset: number) => number): Promise<void> {
  const { BROADSIDE_ENVIRONMENT } = readSettings(environment, ['BROADSIDE_ENVIRONMENT'])
  if (BROADSIDE_ENVIRONMENT === 'production') throw new CommandError('In production time is what it is.')
  await asOperator(environment, (db) =>
    inTransaction(db, async (tx) => {
      const row = await tx.selectFrom('development_clock').select('offset_ms').executeTakeFirst()
      const offset_ms = move(row?.offset_ms ?? 0)
      await tx
        .insertInto('development_clock')
        .values({ offset_ms })
        .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ offset_ms }))
        .execute()
      await sql`notify development_clock`.execute(tx)
      printJson({ offset_ms, now: new Date(Date.now() + offset_ms) })
    }),
  )
}
