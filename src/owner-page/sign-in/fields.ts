import { z } from 'zod'
import { emailAddress } from '../../contract/fields.ts'

export const typedAddress = z.string().trim().pipe(emailAddress)

/** As they were mailed, or in groups as people write them down. */
export const sixDigits = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must have six digits'))
