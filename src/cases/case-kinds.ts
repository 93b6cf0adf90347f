/**
 * The kinds of case that a person decides. review: the model was unsure. report: readers reported the post. appeal: the
 * author disputes a rejection or removal. check: the model charged the tenfold price on its own, and a person reviews
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
    says: 'The post becomes public unchanged.',
    needsCategory: false,
    done: 'Published',
  },
  {
    id: 'reject',
    of: 'review',
    key: 'r',
    label: 'Reject …',
    says: 'The post is rejected for the category you choose. For abuse, the author pays ten times the price and gets a strike.',
    needsCategory: true,
    done: 'Rejected',
  },
  {
    id: 'low_quality',
    of: 'review',
    key: 'l',
    label: 'Low quality',
    says: 'The post is rejected, and its fee is refunded. The author gets no strike.',
    needsCategory: false,
    done: 'Rejected as low quality',
  },
  {
    id: 'keep',
    of: 'report',
    key: 'k',
    label: 'Keep',
    says: 'The post stays public, and the reports are closed.',
    needsCategory: false,
    done: 'Kept',
  },
  {
    id: 'remove',
    of: 'report',
    key: 'x',
    label: 'Remove …',
    says: 'The post is taken down for the category you choose. For abuse, the author pays ten times the price and gets a strike.',
    needsCategory: true,
    done: 'Removed',
  },
  {
    id: 'uphold',
    of: 'appeal',
    key: 'o',
    label: 'Uphold the appeal',
    says: 'The decision was wrong. The strike and the penalty are reversed. A removed post is published again. For a rejected post, the fee is refunded, and the author can submit it again.',
    needsCategory: false,
    done: 'Appeal upheld',
  },
  {
    id: 'dismiss',
    of: 'appeal',
    key: 'd',
    label: 'Dismiss the appeal',
    says: 'The decision was right and stays in effect.',
    needsCategory: false,
    done: 'Appeal dismissed',
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
    says: 'The post is taken down for the category you choose. For abuse, the author pays ten times the price and gets a strike.',
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

export const verdictNamed = (kind: CaseKind, id: string): VerdictDefinition | undefined =>
  verdicts.find((verdict) => verdict.of === kind && verdict.id === id)

/** The part of a case key before its first colon. */
export function kindOfCase(key: string): CaseKind | undefined {
  return caseKinds.find((kind) => key.startsWith(`${kind}:`))
}

/** The last part of the key of a review, report or appeal: the number of the edit or of the report case. */
export const numberOf = (key: string): number => Number(key.split(':')[2])
