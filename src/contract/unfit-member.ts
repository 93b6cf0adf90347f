import { Problem } from './problem.ts'

/** What only a look at the world can find wrong with a member of the body, told as any other fault of a body is. */
export const unfitMember = (member: string, detail: string) =>
  new Problem('validation_failed', 'One member of the body must be put right.', {
    members: { errors: [{ pointer: `#/${member}`, detail }] },
  })
