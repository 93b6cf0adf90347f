import type { z } from 'zod'
import { type FieldHints, hintsForName, hintsForValue, type Validated } from './field-hints.ts'
import { type FieldError, Problem } from './problem.ts'

/** Limits the size of the response when a body has thousands of unknown fields. */
const maxFaults = 100

/** Only the first errors say what is valid: an object can have thousands of unknown fields. */
const maxHinted = 10

/**
 * Converts Zod issues to pointers and plain sentences. Never repeats a value, because values are user content. With what
 * was validated, the errors also say what is valid.
 */
export function fieldErrorsOf(error: z.ZodError, validated?: Validated): FieldError[] {
  const faults = error.issues.flatMap(faultsOf).slice(0, maxFaults)
  const hinted = faults.map((fault, index) => {
    const derived = index < maxHinted && validated && !fault.covers ? hintsFor(fault, validated) : {}
    const hints = { ...derived, ...fault.hints }
    return { pointer: pointerTo(fault.path), detail: fault.detail, ...hints }
  })
  return withoutCovered(hinted, faults)
}

type Fault = {
  path: PropertyKey[]
  detail: string
  unknownName?: string
  values?: readonly unknown[]
  /** The value is missing or has the wrong type. */
  isOfType?: boolean
  hints?: FieldHints
  /** It says what to send instead of the whole value, so errors inside that value are left out. */
  covers?: boolean
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys
      .slice(0, maxFaults)
      .map((key) => ({ path: [...issue.path, key], detail: 'is not recognized', unknownName: key }))
  const fault = { path: issue.path, detail: sentenceFor(issue) }
  if (issue.code === 'invalid_value') return [{ ...fault, values: issue.values }]
  if (issue.code !== 'custom') return [{ ...fault, isOfType: issue.code === 'invalid_type' }]
  const { hints, covers } = (issue.params ?? {}) as Pick<Fault, 'hints' | 'covers'>
  return [{ ...fault, ...(hints && { hints }), ...(covers && { covers }) }]
}

const hintsFor = ({ path, unknownName, values, isOfType }: Fault, validated: Validated): FieldHints =>
  unknownName === undefined
    ? hintsForValue(path, { values, inWordsToo: isOfType === true }, validated)
    : hintsForName(path.slice(0, -1), unknownName, validated)

function withoutCovered(errors: FieldError[], faults: readonly Fault[]): FieldError[] {
  const covering = errors.filter((_, index) => faults[index]?.covers)
  return errors.filter(
    (error) =>
      covering.includes(error) ||
      !covering.some(({ pointer }) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`)),
  )
}

/** The same error for each of these top-level fields. */
export const fieldErrorsAt = (
  names: readonly string[],
  detail: string,
  hintsOf: (name: string) => FieldHints = () => ({}),
): FieldError[] => names.slice(0, maxFaults).map((name) => ({ pointer: pointerTo([name]), detail, ...hintsOf(name) }))

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
