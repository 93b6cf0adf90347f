import type { z } from 'zod'
import { fieldErrorsOf } from '../../../src/contract/problems/validation-errors.ts'

/** The validation errors of a value, as `#/pointer detail`; empty if it is accepted. */
export function refusals(schema: z.ZodType, value: unknown): string[] {
  const read = schema.safeParse(value)
  return read.success ? [] : fieldErrorsOf(read.error).map(({ pointer, detail }) => `${pointer} ${detail}`)
}
