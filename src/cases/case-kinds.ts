/**
 * The kinds of case that a person decides. review: the model was unsure. report: readers reported the post. appeal: the
 * author disputes a rejection or removal. check: the model imposed a penalty on its own, and a person reviews
 * that within a day. audit: a random sample of the model's decisions.
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

/** The model's decision on the audited post. */
export type Audited = 'published' | 'rejected'

export type VerdictDefinition = {
  id: VerdictId
  of: CaseKind
  /** For audits: the model's decision that this verdict applies to. */
  when?: Audited
  /** The keyboard shortcut. */
  key: string
  label: string
  /** The consequences, in a few short sentences. */
  says: string
  /** For appeals: the label and the consequences for a text that was rejected. Only a removed post can be restored. */
  ifRejected?: Pick<VerdictDefinition, 'label' | 'says'>
  needsCategory: boolean
  /** The label while the decision can still be undone. */
  done: string
}

/** Every verdict for each kind of case. The database allows the same pairs (migrations/0028). */
export const verdicts: readonly VerdictDefinition[] = [
  {
    id: 'publish',
    of: 'review',
    key: 'p',
    label: 'Publish',
    says: 'Publishes the post unchanged.',
    needsCategory: false,
    done: 'Published',
  },
  {
    id: 'reject',
    of: 'review',
    key: 'r',
    label: 'Reject …',
    says: 'Rejects the post for the category you choose. Abuse costs the author 10× the fee and adds a strike.',
    needsCategory: true,
    done: 'Rejected',
  },
  {
    id: 'low_quality',
    of: 'review',
    key: 'l',
    label: 'Low quality',
    says: 'Rejects the post and refunds its fee. The author gets no strike.',
    needsCategory: false,
    done: 'Rejected as low quality',
  },
  {
    id: 'keep',
    of: 'report',
    key: 'k',
    label: 'Keep',
    says: 'Keeps the post public and closes the reports.',
    needsCategory: false,
    done: 'Kept',
  },
  {
    id: 'remove',
    of: 'report',
    key: 'x',
    label: 'Remove …',
    says: 'Takes the post down for the category you choose. Abuse costs the author 10× the fee and adds a strike.',
    needsCategory: true,
    done: 'Removed',
  },
  {
    id: 'uphold',
    of: 'appeal',
    key: 'o',
    label: 'Overturn: restore post',
    says: 'The decision was wrong. The post is published again, and the strike and the penalty are reversed.',
    ifRejected: {
      label: 'Overturn: refund fee',
      says: 'The decision was wrong. The strike and the penalty are reversed, the fee is refunded, and the author can submit the text again.',
    },
    needsCategory: false,
    done: 'Decision overturned',
  },
  {
    id: 'dismiss',
    of: 'appeal',
    key: 'd',
    label: 'Keep decision',
    says: 'The decision was right and stays in effect.',
    needsCategory: false,
    done: 'Decision kept',
  },
  {
    id: 'confirm',
    of: 'check',
    key: 'c',
    label: 'Confirm',
    says: 'The model was right. Its decision stays in effect.',
    needsCategory: false,
    done: 'Confirmed',
  },
  {
    id: 'overturn',
    of: 'check',
    key: 'o',
    label: 'Overturn',
    says: 'The model was wrong. The strike and the penalty are reversed, the fee is refunded, and the author can submit the post again.',
    needsCategory: false,
    done: 'Overturned',
  },
  {
    id: 'keep',
    of: 'audit',
    when: 'published',
    key: 'k',
    label: 'Keep',
    says: 'The model was right. The post stays public.',
    needsCategory: false,
    done: 'Kept',
  },
  {
    id: 'remove',
    of: 'audit',
    when: 'published',
    key: 'x',
    label: 'Remove …',
    says: 'Takes the post down for the category you choose. Abuse costs the author 10× the fee and adds a strike.',
    needsCategory: true,
    done: 'Removed',
  },
  {
    id: 'confirm',
    of: 'audit',
    when: 'rejected',
    key: 'c',
    label: 'Confirm',
    says: 'The model was right. Its decision stays in effect.',
    needsCategory: false,
    done: 'Confirmed',
  },
  {
    id: 'overturn',
    of: 'audit',
    when: 'rejected',
    key: 'o',
    label: 'Overturn',
    says: 'The model was wrong. The rejection is reversed, and the author is notified and can submit the post again.',
    needsCategory: false,
    done: 'Overturned',
  },
]

/** The verdicts for a kind of case; for an audit, those that fit the audited decision, or all if it is unknown. */
export const verdictsOf = (kind: CaseKind, audited: Audited | null = null): VerdictDefinition[] =>
  verdicts.filter(({ of, when }) => of === kind && (!when || !audited || when === audited))

/** The same with the words that fit this case. `isRemoved`: the post was public and was taken down. */
export const verdictsFor = (
  { kind, audited, edit }: { kind: CaseKind; audited: Audited | null; edit: number },
  isRemoved: boolean,
): VerdictDefinition[] =>
  verdictsOf(kind, audited).map((verdict) =>
    isRemoved && edit === 0 ? verdict : { ...verdict, ...verdict.ifRejected },
  )

export const verdictNamed = (kind: CaseKind, id: string): VerdictDefinition | undefined =>
  verdicts.find((verdict) => verdict.of === kind && verdict.id === id)

/** The part of a case key before its first colon. */
export function kindOfCase(key: string): CaseKind | undefined {
  return caseKinds.find((kind) => key.startsWith(`${kind}:`))
}

/** The last part of the key of a review, report or appeal: the number of the edit or of the report case. */
export const numberOf = (key: string): number => Number(key.split(':')[2])
