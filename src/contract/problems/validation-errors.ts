import type { z } from 'zod'
import { type FieldError, Problem } from './problem.ts'

/** Limits the size of the response when a body has thousands of unknown fields. */
const maxFaults = 100

/** Converts Zod issues to pointers and plain sentences. Never repeats a value, because values are user content. */
export function fieldErrorsOf(error: z.ZodError): FieldError[] {
  return error.issues
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, maxFaults).map((key) => ({ path: [...issue.path, key], detail: 'is not recognized' }))
        : [{ path: issue.path, detail: sentenceFor(issue) }],
    )
    .slice(0, maxFaults)
    .map(({ path, detail }) => ({ pointer: pointerTo(path), detail }))
}

/** The same error for each of these top-level fields. */
export const fieldErrorsAt = (names: readonly string[], detail: string): FieldError[] =>
  names.slice(0, maxFaults).map((name) => ({ pointer: pointerTo([name]), detail }))

/** A JSON Pointer (RFC 6901) as a URI fragment. */
export function pointerTo(path: readonly PropertyKey[]): string {
  return `#${path.map((step) => `/${escapeStep(String(step))}`).join('')}`
}

function escapeStep(step: string): string {
  const pointer = step.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')
  return encodeURIComponent(pointer.toWellFormed())
}

function sentenceFor(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && isMissing(issue) ? 'is required' : `must be ${article(issue.expected)}`
    case 'invalid_value':
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`.replace(/, ([^,]*)$/, ' or $1')
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`
    case 'invalid_format':
      return issue.format === 'regex' ? issue.message : `must be a valid ${issue.format}`
    case 'custom':
      return issue.message
    default:
      return 'is not valid'
  }
}

/** Zod omits the input from an issue, so only the message shows that the value was missing. */
const isMissing = (issue: z.core.$ZodIssueInvalidType) => /received undefined/.test(issue.message)

const unitOf = (origin: string) => (origin === 'string' ? ' characters' : origin === 'array' ? ' items' : '')

const article = (type: string) => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`)

/** The problem for an invalid field that the schema alone cannot detect. */
export const invalidField = (member: string, detail: string) =>
  new Problem('validation_failed', 'The body has 1 invalid field.', {
    members: { errors: [{ pointer: `#/${member}`, detail }] },
  })
