import { z } from 'zod'
import type { FieldHints } from '../contract/problems/field-hints.ts'
import type { FieldError } from '../contract/problems/problem.ts'
import type { TextPart } from '../contract/text/text.ts'
import type { Presentation } from './presentation/presentation.ts'

/** Stored values that filters compare with: strings and lists of strings exactly, numbers exactly or by range. */
export type Facets = Record<string, string | number | readonly string[]>

/** A query parameter for listing posts, and how its value is compared with a facet. */
export type Filter = {
  /**
   * Parses the parameter and returns the value that the facet is compared with. Its `meta` has description and
   * example.
   */
  query: z.ZodType<string | number, string>
  facet: string
  compare: 'equals' | 'contains' | 'at_least' | 'at_most'
  /**
   * Adds the parameter to search too: with a field in the form of the search page, or for API callers only. Exact values
   * are terms of the search index. A size is compared for each post that the words find, which is slower.
   */
  search?: 'api-only' | SearchField
}

/** A field of the search form: a choice from a list, an amount, a day, or a line of text. */
export type SearchField = { label: string } & (
  | { options: () => readonly SearchOption[]; anyLabel: string }
  | { amount: true }
  | {
      /** For parameters that take a time: the moment that the day starts or ends, in UTC. */
      day: 'start' | 'end'
    }
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
  /** The words for one post and for several. */
  noun: string
  plural: string
  /** An introduction for new visitors, in one or two sentences. */
  about: string
  /** The folder with the site's style sheet and fonts, which are added to the shared ones. */
  look?: URL
}

/** A type of listing, such as the categories of ads. */
export type ListingType = {
  title: string
  /** The display name of a listing, from the rest of its path: `for-sale` as `For sale`. */
  nameOf: (value: string) => string
  /** What the page with all listings of this type says. Without it, there is no such page. */
  index?: ListingIndex
  /** The type whose index leads to the only listing of this type. */
  within?: string
}

/** `by-path` is for listings with a natural order, such as months. They are grouped under headings. */
type ListingIndex = { introduction: string } & (
  | { order: 'by-size' }
  | { order: 'by-path'; groupOf: (value: string) => { heading: string; name: string } }
)

/** A kind of post declares its properties, so that shared code never branches on its name. */
export type Kind<Body extends object = object> = {
  name: string
  /** The names and texts of the site for this kind. */
  site: SiteWords
  priceMicros: number
  /** Charged once for each http(s) link that `chargedLinks` finds. */
  linkSurchargeMicros: number
  /** A complete request body. Rejects unknown fields and every error that does not depend on the time. */
  body: z.ZodType<Body, object>
  /** The body of an edit: every field is optional, and null removes a field that is optional in `body`. */
  editBody: z.ZodType<{ [Member in keyof Body]?: Body[Member] | null }, object>
  /** The fields of `body` as stored and shown. */
  content: z.ZodObject
  /** Errors that depend on the time, such as an event that has ended. Not checked for a replay of a stored response. */
  fieldErrorsAt: (body: Body, at: Date) => FieldError[]
  /** All text that people read, in reading order. Moderation evaluates it. */
  texts: (body: Body) => TextPart[]
  chargedLinks: (body: Body) => string[]
  facets: (body: Body) => Facets
  filters: Record<string, Filter>
  /** When a published post leaves listings, feeds and search results; its page stays. Null means never. */
  visibleUntil: (body: Body, publishedAt: Date) => Date | null
  /** The paths of the post's listings besides the front page: `topics/ferries`, `places/pt`. */
  shelves: (body: Body) => string[]
  /** The kind's own types of listing, besides topics and places, by the first part of their paths. */
  listingTypes?: Readonly<Record<string, ListingType>>
  presentation: Presentation<Body>
  /** Other accounts can email the author through POST /v1/relay. */
  acceptsRelay?: true
  /** Complete bodies that are accepted and would be published. */
  examples: readonly [object, ...object[]]
}

type Fields = Readonly<Record<string, z.ZodType>>

type Definition<Members extends Fields> = Omit<Kind<MembersOf<Members>>, 'body' | 'editBody' | 'content'> & {
  /** The fields of a body, each with everything that can be validated on its own. */
  fields: Members
  /** Errors that involve several fields, reported on the last of them. Receives only fields valid on their own. */
  check?: (members: Partial<MembersOf<Members>>) => MemberFault[]
}

/** Defines a kind. The schemas for creating, editing and showing posts derive from its fields. */
export function defineKind<const Members extends Fields>(definition: Definition<Members>): Kind {
  const { fields, check = () => [], ...answers } = definition
  const kind = {
    ...answers,
    body: checkedObject(fields, check),
    editBody: editOf(fields),
    content: z.object(mapFields(fields, (field) => (field instanceof z.ZodDefault ? withoutDefault(field) : field))),
  }
  // Erases the type of the kind's body, so that all kinds fit in one list. This is safe, because a kind receives only
  // bodies that its schema has parsed.
  return kind as unknown as Kind
}

/** Does not compare fields: the whole edited post is validated with `body` afterwards. */
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

/** An error that involves several fields: where to fix it, and how. */
export type MemberFault = {
  path: PropertyKey[]
  message: string
  hints?: FieldHints
  /** It says what to send instead of the whole value, so errors inside that value are not reported. */
  covers?: true
}

type Shape = z.core.$ZodShape

/** The parsed value of an object with these fields. */
export type MembersOf<Members extends Shape> = z.output<z.ZodObject<Members, z.core.$strict>>

/**
 * A strict object that also compares its fields. The check receives the valid fields even if others are invalid, so
 * that the caller sees all errors in one response. Its second argument is what the caller sent, which is not validated
 * and can be a string.
 */
export function checkedObject<Members extends Shape>(
  members: Members,
  findFaults: (valid: Partial<MembersOf<Members>>, given: unknown) => MemberFault[],
) {
  return z.strictObject(members).superRefine(
    (value, context) => {
      const wrong = new Set(context.issues.map(({ path }) => path?.[0]))
      const valid =
        typeof value === 'string' ? {} : Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)))
      for (const { path, message, ...params } of findFaults(valid as Partial<MembersOf<Members>>, value))
        context.addIssue({ code: 'custom', path, message, params })
    },
    // Zod would skip the check as soon as any field is invalid.
    {
      when: ({ value }) =>
        typeof value === 'string' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
    },
  )
}
