import { z } from 'zod'
import { type KeyAccess, type KeyScope, keyAccess } from '../../accounts/keys/key-record.ts'
import type { Scope } from '../../contract/scopes.ts'

/** What an owner can choose for a key, most access first. The API can combine scopes in other ways. */
const choices = {
  full: {
    label: 'Full access: post, edit, delete, manage webhooks and account settings',
    short: 'full access',
    access: keyAccess('full', null),
  },
  publish: {
    label: 'Publish: post, edit, delete and read',
    short: 'publish',
    access: keyAccess('read', ['read', 'publish']),
  },
  publish_with_approval: {
    label: 'Publish with your approval: you approve each post before it is charged',
    short: 'with approval',
    access: keyAccess('read', ['read', 'publish_with_approval']),
  },
  read: { label: 'Read only: account, posts and search', short: 'read only', access: keyAccess('read', null) },
} as const satisfies Record<string, { label: string; short: string; access: KeyAccess }>

type Choice = keyof typeof choices
type StoredAccess = { scope: KeyScope; scopes: readonly string[] | null }

const choiceOf = ({ scope, scopes }: StoredAccess): Choice | null => {
  const same = (access: KeyAccess) => access.scope === scope && String(access.scopes) === String(scopes)
  return (Object.keys(choices) as Choice[]).find((name) => same(choices[name].access)) ?? null
}

/** The value of the form's field for scopes that are not among the choices. */
const asNow = 'as_now'

export const chosenAccess = z.enum([...(Object.keys(choices) as [Choice, ...Choice[]]), asNow])

/** The access that was chosen for a key; `current` is what it has. */
export const accessOf = (choice: z.output<typeof chosenAccess>, current?: StoredAccess): KeyAccess => {
  if (choice !== asNow) return choices[choice].access
  return current ? keyAccess(current.scope, current.scopes as Scope[] | null) : choices.read.access
}

export const accessValue = (stored: StoredAccess): string => choiceOf(stored) ?? asNow

/** The options of the form, by value. */
export const accessOptions = (stored?: StoredAccess): [value: string, label: string][] => [
  ...Object.entries(choices).map(([value, { label }]): [string, string] => [value, label]),
  ...(stored && !choiceOf(stored) ? [[asNow, `As now: ${accessInWords(stored)}`] as [string, string]] : []),
]

/** The access in a few words: `publish`, or the names of the scopes. */
export const accessInWords = (stored: StoredAccess): string => {
  const choice = choiceOf(stored)
  return choice ? choices[choice].short : (stored.scopes ?? []).join(', ').replaceAll('_', ' ')
}
