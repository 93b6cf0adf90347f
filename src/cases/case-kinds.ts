/**
 * What a person may be asked. review: the model was unsure. report: readers complained. appeal: the author says that a
 * refusal was wrong. check: the model alone has charged ten-fold, and a person looks within the day. audit: drawn at random
 * from what the model decided alone.
 */
export const caseKinds = ['review', 'report', 'appeal', 'check', 'audit'] as const
export type CaseKind = (typeof caseKinds)[number]

export type VerdictId =
  | 'publish'
  | 'reject'
  | 'low_quality'
  | 'keep'
  | 'remove'
  | 'uphold'
  | 'dismiss'
  | 'confirm'
  | 'overturn'

/** What the model had done with what is audited. */
export type Audited = 'published' | 'rejected'

export type VerdictDefinition = {
  id: VerdictId
  of: CaseKind
  /** Of an audit: what had become of the post. */
  when?: Audited
  /** The letter of the keyboard. */
  key: string
  label: string
  /** What follows from it. */
  says: string
  needsCategory: boolean
  /** Said when it can still be undone. */
  done: string
}

/** Every answer that a case can be given. The database has the same pairs (migrations/0028). */
export const verdicts: readonly VerdictDefinition[] = [
  {
    id: 'publish',
    of: 'review',
    key: 'p',
    label: 'Publish',
    says: 'It becomes public as it stands.',
    needsCategory: false,
    done: 'Published',
  },
  {
    id: 'reject',
    of: 'review',
    key: 'r',
    label: 'Reject …',
    says: 'It is refused for the category you name. Abuse costs the author ten times the price and a strike.',
    needsCategory: true,
    done: 'Rejected',
  },
  {
    id: 'low_quality',
    of: 'review',
    key: 'l',
    label: 'Low quality',
    says: 'It is refused, the fee goes back, and there is no strike.',
    needsCategory: false,
    done: 'Rejected as low quality',
  },
  {
    id: 'keep',
    of: 'report',
    key: 'k',
    label: 'Keep',
    says: 'It stays public, and the reports are closed.',
    needsCategory: false,
    done: 'Kept',
  },
  {
    id: 'remove',
    of: 'report',
    key: 'x',
    label: 'Remove …',
    says: 'It is taken down for the category you name. Abuse costs the author ten times the price and a strike.',
    needsCategory: true,
    done: 'Removed',
  },
  {
    id: 'uphold',
    of: 'appeal',
    key: 'o',
    label: 'Uphold the appeal',
    says: 'The refusal was wrong: strike and penalty are taken back. A removed post returns; a rejected one can be sent again, and its fee goes back.',
    needsCategory: false,
    done: 'Appeal upheld',
  },
  {
    id: 'dismiss',
    of: 'appeal',
    key: 'd',
    label: 'Dismiss the appeal',
    says: 'The refusal was right, and stands.',
    needsCategory: false,
    done: 'Appeal dismissed',
  },
  {
    id: 'confirm',
    of: 'check',
    key: 'c',
    label: 'Confirm',
    says: 'The model was right: its decision stands.',
    needsCategory: false,
    done: 'Confirmed',
  },
  {
    id: 'overturn',
    of: 'check',
    key: 'o',
    label: 'Overturn',
    says: 'The model was wrong: strike and penalty are taken back, the fee too, and the author can send it again.',
    needsCategory: false,
    done: 'Overturned',
  },
  {
    id: 'keep',
    of: 'audit',
    when: 'published',
    key: 'k',
    label: 'Keep',
    says: 'The model was right: it stays public.',
    needsCategory: false,
    done: 'Kept',
  },
  {
    id: 'remove',
    of: 'audit',
    when: 'published',
    key: 'x',
    label: 'Remove …',
    says: 'It is taken down for the category you name. Abuse costs the author ten times the price and a strike.',
    needsCategory: true,
    done: 'Removed',
  },
  {
    id: 'confirm',
    of: 'audit',
    when: 'rejected',
    key: 'c',
    label: 'Confirm',
    says: 'The model was right: its decision stands.',
    needsCategory: false,
    done: 'Confirmed',
  },
  {
    id: 'overturn',
    of: 'audit',
    when: 'rejected',
    key: 'o',
    label: 'Overturn',
    says: 'The model was wrong: the refusal is taken back, and the author is told and can send it again.',
    needsCategory: false,
    done: 'Overturned',
  },
]

/** The answers to cases of a kind; of an audit those that fit what was audited, or all when that is not known. */
export const verdictsOf = (kind: CaseKind, audited: Audited | null = null): VerdictDefinition[] =>
  verdicts.filter(({ of, when }) => of === kind && (!when || !audited || when === audited))

export const verdictNamed = (kind: CaseKind, id: string): VerdictDefinition | undefined =>
  verdicts.find((verdict) => verdict.of === kind && verdict.id === id)

/** What a case key has before its first colon. */
export function kindOfCase(key: string): CaseKind | undefined {
  return caseKinds.find((kind) => key.startsWith(`${kind}:`))
}

/** What stands last in the key of a review, a report or an appeal: the number of the edit, or of the case. */
export const numberOf = (key: string): number => Number(key.split(':')[2])
