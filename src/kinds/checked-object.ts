import { z } from 'zod'

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
