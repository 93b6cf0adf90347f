import { z } from 'zod'
import type { FieldError } from '../contract/problems/problem.ts'
import type { TextPart } from '../contract/text/text.ts'
import type { Presentation } from './presentation/presentation.ts'

/** What a post can be found by, as stored: strings and lists of strings compare as they are, numbers by size. */
export type Facets = Record<string, string | number | readonly string[]>

/** One query parameter of the list of posts, and how it compares with a facet. */
export type Filter = {
  /** Reads the parameter from text; gives what the facet is compared with. */
  query: z.ZodType<string | number, string>
  facet: string
  compare: 'equals' | 'contains' | 'at_least' | 'at_most'
}

export type SiteWords = {
  slug: string
  title: string
  tagline: string
  /** What people call one post, and several. */
  noun: string
  plural: string
  /** For a stranger: what is here. One or two sentences. */
  about: string
  /** The folder of its own style sheet and fonts, which are added to those of the family. */
  look?: URL
}

/** A kind of post declares its answers; nobody asks its name. */
export type Kind<Body extends object = object> = {
  name: string
  /** The site that takes this kind, in words for people. */
  site: SiteWords
  priceMicros: number
  /** Charged once for each http(s) link that `chargedLinks` finds. */
  linkSurchargeMicros: number
  /** What a caller sends, complete: refuses unknown members and everything that is wrong at any time. */
  body: z.ZodType<Body, object>
  /** What a caller sends to change a post: every member optional; null takes an optional one away. */
  editBody: z.ZodType<{ [Member in keyof Body]?: Body[Member] | null }, object>
  /** The members of `body` as they are stored and shown. */
  content: z.ZodObject
  /** What is wrong at this moment only, as an event that is over: asked after a stored answer was looked for. */
  fieldErrorsAt: (body: Body, at: Date) => FieldError[]
  /** All that people will read, in the order of reading: what the rules and the judge are given. */
  texts: (body: Body) => TextPart[]
  chargedLinks: (body: Body) => string[]
  facets: (body: Body) => Facets
  filters: Record<string, Filter>
  /** When a published post leaves lists, feeds and search; its own page stays. Null: never. */
  visibleUntil: (body: Body, publishedAt: Date) => Date | null
  /** The lists that it stands in beside the front page, as paths: `topics/ferries`, `places/pt`. */
  shelves: (body: Body) => string[]
  presentation: Presentation<Body>
  /** Whoever wrote it can be written to by mail, through POST /v1/relay. */
  acceptsRelay?: true
  /** Each is a whole body that is accepted and would be published. */
  examples: readonly [object, ...object[]]
}

type Fields = Readonly<Record<string, z.ZodType>>

type Definition<Members extends Fields> = Omit<Kind<MembersOf<Members>>, 'body' | 'editBody' | 'content'> & {
  /** The members of a body, each with all that can be said of it alone. */
  fields: Members
  /** What is wrong between members, reported at the later one. Given only those that are right by themselves. */
  check?: (members: Partial<MembersOf<Members>>) => MemberFault[]
}

/** Describes a kind completely: what is taken, changed and shown derives from its fields. */
export function defineKind<const Members extends Fields>(definition: Definition<Members>): Kind {
  const { fields, check = () => [], ...answers } = definition
  const kind = {
    ...answers,
    body: checkedObject(fields, check),
    editBody: editOf(fields),
    content: z.object(mapFields(fields, (field) => (field instanceof z.ZodDefault ? withoutDefault(field) : field))),
  }
  // The types of its own body are put aside, so that all kinds fit in one list: a kind is only ever asked about bodies
  // that its own schema has parsed.
  return kind as unknown as Kind
}

/** Says nothing of how members go together: the changed post as a whole must pass `body` again. */
function editOf(fields: Fields) {
  return z
    .strictObject(mapFields(fields, changed))
    .refine((edit) => Object.keys(edit).length > 0, {
      error: 'must have at least one member: those to change',
      when: ({ issues }) => issues.length === 0,
    })
    .meta({ minProperties: 1 })
}

/** A default must not fill in what the caller left out: that member stays as it is. */
function changed(field: z.ZodType): z.ZodType {
  if (field instanceof z.ZodDefault) return removable(withoutDefault(field))
  return field instanceof z.ZodOptional ? removable(field.unwrap() as z.ZodType) : field.optional()
}

function removable(field: z.ZodType): z.ZodType {
  const description = [field.description, 'Null takes it away.'].filter(Boolean).join(' ')
  return field.nullable().optional().meta({ description })
}

const withoutDefault = (field: z.ZodDefault): z.ZodType => field.unwrap() as z.ZodType

function mapFields(fields: Fields, map: (field: z.ZodType) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, map(field)]))
}

/** A fault between members: where it is to be mended, and how. */
export type MemberFault = { path: PropertyKey[]; message: string }

type Shape = z.core.$ZodShape

/** What an object of these members holds once it is parsed. */
export type MembersOf<Members extends Shape> = z.output<z.ZodObject<Members, z.core.$strict>>

/**
 * A strict object whose members are also held against one another. The check is given those that are right by
 * themselves, whatever is wrong with the others, so that a caller meets all faults at once.
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
    // Zod would leave the check out as soon as any member is wrong.
    { when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value) },
  )
}
