import { z } from 'zod'
import type { FieldError } from '../contract/problems/problem.ts'
import type { TextPart } from '../contract/text/text.ts'
import type { Presentation } from './presentation/presentation.ts'

/** Values for filters, as stored: strings and lists of strings match exactly, numbers by size. */
export type Facets = Record<string, string | number | readonly string[]>

/** One query parameter of the list of posts, and how it compares with a facet. */
export type Filter = {
  /** Parses the parameter; returns the value that the facet is compared with. Its `meta` has description and example. */
  query: z.ZodType<string | number, string>
  facet: string
  compare: 'equals' | 'contains' | 'at_least' | 'at_most'
  /**
   * Adds the parameter to search too: with a field in the form of the search page, or for API callers only. Exact values
   * are terms of the search index. A size is compared for each post that the words find, which is slower.
   */
  search?: 'api-only' | SearchField
}

/** A field of the search form: a choice from a list, or a line of text. */
export type SearchField = { label: string } & (
  | { options: () => readonly SearchOption[]; anyLabel: string }
  | {
      maxLength: number
      /** Turns what people write into what the parameter accepts. */
      normalise?: (written: string) => string
    }
)

export type SearchOption = { value: string; label: string }

export type SiteWords = {
  slug: string
  title: string
  tagline: string
  /** What people call one post, and several. */
  noun: string
  plural: string
  /** An introduction for strangers, of one or two sentences. */
  about: string
  /** The folder of the site's style sheet and fonts, in addition to the shared ones. */
  look?: URL
}

/** A kind of post declares its answers, so that shared code never branches on its name. */
export type Kind<Body extends object = object> = {
  name: string
  /** The site for this kind, in words for people. */
  site: SiteWords
  priceMicros: number
  /** Charged once for each http(s) link that `chargedLinks` finds. */
  linkSurchargeMicros: number
  /** A complete request body: rejects unknown fields and everything that is always wrong. */
  body: z.ZodType<Body, object>
  /** The body of an edit: every field is optional; null removes an optional one. */
  editBody: z.ZodType<{ [Member in keyof Body]?: Body[Member] | null }, object>
  /** The fields of `body` as stored and shown. */
  content: z.ZodObject
  /** Errors that depend on the time, such as an event that is over. Checked after the lookup of a stored response. */
  fieldErrorsAt: (body: Body, at: Date) => FieldError[]
  /** All text for people, in reading order: the input of the rules and the judge. */
  texts: (body: Body) => TextPart[]
  chargedLinks: (body: Body) => string[]
  facets: (body: Body) => Facets
  filters: Record<string, Filter>
  /** When a published post leaves lists, feeds and search; its page stays. Null: never. */
  visibleUntil: (body: Body, publishedAt: Date) => Date | null
  /** The post's lists besides the front page, as paths: `topics/ferries`, `places/pt`. */
  shelves: (body: Body) => string[]
  presentation: Presentation<Body>
  /** Others can email the author through POST /v1/relay. */
  acceptsRelay?: true
  /** Complete bodies that are accepted and would be published. */
  examples: readonly [object, ...object[]]
}

type Fields = Readonly<Record<string, z.ZodType>>

type Definition<Members extends Fields> = Omit<Kind<MembersOf<Members>>, 'body' | 'editBody' | 'content'> & {
  /** The fields of a body, each with everything that can be validated on its own. */
  fields: Members
  /** Errors between fields, reported at the later one. Receives only the fields that are valid on their own. */
  check?: (members: Partial<MembersOf<Members>>) => MemberFault[]
}

/** Defines a kind: the schemas for creating, editing and showing posts derive from its fields. */
export function defineKind<const Members extends Fields>(definition: Definition<Members>): Kind {
  const { fields, check = () => [], ...answers } = definition
  const kind = {
    ...answers,
    body: checkedObject(fields, check),
    editBody: editOf(fields),
    content: z.object(mapFields(fields, (field) => (field instanceof z.ZodDefault ? withoutDefault(field) : field))),
  }
  // Erases the type of the kind's body, so that all kinds fit in one list: a kind only ever receives bodies
  // that its own schema has parsed.
  return kind as unknown as Kind
}

/** Does not compare fields: the edited post as a whole must pass `body` again. */
function editOf(fields: Fields) {
  return z
    .strictObject(mapFields(fields, changed))
    .refine((edit) => Object.keys(edit).length > 0, {
      error: 'must contain at least one field to change',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1 })
}

/** A default must not fill in omitted fields: an edit leaves them unchanged. */
function changed(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodDefault) return removable(withoutDefault(field))
  return field instanceof z.ZodOptional ? removable(field.unwrap() as z.ZodType) : field.optional()
}

function removable(field: z.ZodType): z.ZodType {
  const description = [field.description, 'Null removes it.'].filter(Boolean).join(' ')
  return field.nullable().optional().meta({ description })
}

const withoutDefault = (field: z.ZodDefault): z.ZodType => field.unwrap() as z.ZodType

function mapFields(fields: Fields, map: (field: z.ZodType) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]))
}

/** An error between fields: where to fix it, and how. */
export type MemberFault = { path: PropertyKey[]; message: string }

type Shape = z.core.$ZodShape

/** The parsed value of an object with these fields. */
export type MembersOf<Members extends Shape> = z.output<z.ZodObject<Members, z.core.$strict>>

/**
 * A strict object that also compares its fields. The check receives the valid fields even if others are invalid, so
 * that the caller sees all errors at once.
 */
export function checkedObject<Members extends Shape>(
  members: Members,
  findFaults: (valid: Partial<MembersOf<Members>>) => MemberFault[],
) {
  return z.strictObject(members).superRefine(
    (value, context) => {
      const wrong = new Set(context.issues.map(({ path }) => path?.[0]))
      const valid = Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)))
      for (const { path, message } of findFaults(valid as Partial<MembersOf<Members>>))
        context.addIssue({ code: 'custom', path, message })
    },
    // Zod would skip the check as soon as any field is invalid.
    { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  )
}
