import type { z } from 'zod'
import { faultsOf } from '../../src/contract/faults.ts'

/** What a caller would be told is wrong with a value, as `#/pointer detail`; nothing when it is accepted. */
export function refusals(schema: z.ZodType, value: unknown): string[] {
  const read = schema.safeParse(value)
  return read.success ? [] : faultsOf(read.error).map(({ pointer, detail }) => `${pointer} ${detail}`)
}
