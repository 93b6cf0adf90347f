import { z } from 'zod'
import { CommandError, type CommandInput } from './command.ts'

/** The day that an option names, in UTC; undefined when it was left out. */
export function readDay(flags: CommandInput['flags'], name: string): string | undefined {
  const given = flags[name]
  if (given === undefined) return undefined
  const day = z.iso.date().safeParse(given)
  if (!day.success) throw new CommandError(`--${name} is a day, as 2026-11-01.`)
  return day.data
}
