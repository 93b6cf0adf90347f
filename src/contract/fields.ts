import { z } from 'zod'
import { countCodePoints, findHiddenCharacter, normalizeText } from './text/text.ts'

export const timestamp = z.iso
  .datetime()
  .meta({ description: 'ISO 8601 in UTC.', examples: ['2026-11-15T12:00:00.000Z'] })

export const micros = z
  .int()
  .min(0)
  .meta({ description: 'Micro-dollars: 1 USD is 1,000,000.', examples: [20_000] })

export const identifier = (prefix: string, example: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`), `must be an identifier that begins with ${prefix}_`)
    .meta({ examples: [example] })

export const accountId = identifier('acct', 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab')

/** Single-line text: normalized to NFC, measured in code points, without hidden characters. */
export const line = (min: number, max: number) => text(min, max, { oneLine: true })

/** Like `line`, but with line breaks. */
export const paragraphs = (min: number, max: number) => text(min, max, { oneLine: false })

function text(min: number, max: number, options: { oneLine: boolean }) {
  return z
    .string()
    .transform(normalizeText)
    .pipe(
      z.string().check((context) => {
        const length = countCodePoints(context.value)
        const hidden = findHiddenCharacter(context.value, options)
        if (hidden)
          refuse(context, `has ${hidden.name} (${hidden.codePoint}) at position ${hidden.position}; remove it`)
        if (length < min || length > max) refuse(context, `must have ${min} to ${max} characters, but has ${length}`)
        else if (context.value.trim() === '' && min > 0) refuse(context, 'must not be blank')
      }),
    )
    .meta({ minLength: min, maxLength: max })
}

type CheckContext = { value: string; issues: z.core.$ZodRawIssue[] }

function refuse(context: CheckContext, message: string) {
  context.issues.push({ code: 'custom', message, input: context.value, continue: true })
}

/** An email address that can receive mail: RFC 5321 allows at most 64 characters before the @. */
export const emailAddress = z
  .email('must be an email address')
  .max(254)
  .refine((address) => address.indexOf('@') <= 64, 'must have no more than 64 characters before the @')

/** The link to the owner page, included whenever only a person can continue. */
export const accountUrl = z.url().meta({
  description: 'Link to the owner page of this account. Give it to the account’s owner. It is valid for one hour.',
  examples: ['https://account.broadside.example/o/3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
})

/** The output of an operation that returns 204. */
export const nothing = z.undefined()

export const forHuman = z.literal(true).meta({ description: 'A person must open account_url.' })
