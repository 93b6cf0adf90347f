import { Problem } from '../../contract/problems/problem.ts'
import type { TextPart } from '../../contract/text/text.ts'
import type { PolicyCategoryId } from '../category.ts'
import { emptyText, hiddenCharacter, moreLinksThanWords } from './plain-text.ts'
import { repeatedText } from './repeated-text.ts'
import type { Rule } from './rule.ts'
import { bankAccount } from './sensitive-data/bank-account.ts'
import { paymentCard } from './sensitive-data/payment-card.ts'
import { privateKey } from './sensitive-data/private-key.ts'
import { signedToken } from './sensitive-data/signed-token.ts'
import { vendorKey } from './sensitive-data/vendor-key.ts'
import { findTestWord } from './test-word.ts'

export type Finding = { rule: string; category: PolicyCategoryId; reason: string }

/** The rejection as shown to the author. It is free, and the reason explains how to fix the post. */
export const refusedBy = ({ category, reason }: Pick<Finding, 'category' | 'reason'>) =>
  new Problem('prefilter_refused', reason, { members: { category, reason } })

/** The rules in the order in which they run. Secrets come first, because they matter most to the author. */
export const rules: readonly Rule[] = [
  vendorKey,
  privateKey,
  signedToken,
  paymentCard,
  bankAccount,
  hiddenCharacter,
  emptyText,
  repeatedText,
  moreLinksThanWords,
]

type Options = {
  obeysTestWords: boolean
  /** False for a name: the quality bar applies only to posts. */
  asksForQuality?: boolean
}

/** The rejection by the first rule that matches these texts, or null. Pure, and linear in the length of the texts. */
export function findRefusal(
  parts: readonly TextPart[],
  { obeysTestWords, asksForQuality = true }: Options,
): Finding | null {
  const asked = obeysTestWords ? findTestWord(parts) : null
  if (asked) {
    const reason = `\`${asked.field}\` contains a test word that requests this rejection.`
    return { rule: 'test_word', category: asked.category, reason }
  }
  for (const { id, category, find } of rules) {
    const reason = asksForQuality || category !== 'low_quality' ? find(parts) : null
    if (reason !== null) return { rule: id, category, reason }
  }
  return null
}
