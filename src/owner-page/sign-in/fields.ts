import { z } from 'zod'

export const emailAddress = z.string().trim().pipe(z.email('must be an address of mail').max(254))

/** As they were mailed, or in groups as people write them down. */
export const sixDigits = z
  .string()
  .transform((text) => text.replaceAll(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{6}$/, 'must have six digits'))
