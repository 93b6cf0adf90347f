import { findLabels, type GuardAnswer, type GuardLabels, guardAdapter, noAnswer } from './guard.ts'

/**
 * The codes of Llama Guard 3, from its model card. Non-violent crimes range from fraud to theft, privacy covers more
 * than personal data, and suicide includes a person's own distress, so a person decides these.
 */
export const llamaGuardLabels: GuardLabels = {
  S1: { category: 'violence_threats', decides: true },
  S2: { category: 'illegal_goods', decides: false },
  S3: { category: 'sexual', decides: true },
  S4: { category: 'sexual_minors', decides: true },
  S5: { category: null, decides: false },
  S6: { category: null, decides: false },
  S7: { category: 'personal_data', decides: false },
  S8: { category: null, decides: false },
  S9: { category: 'illegal_goods', decides: true },
  S10: { category: 'hate_harassment', decides: true },
  S11: { category: 'self_harm', decides: false },
  S12: { category: 'sexual', decides: true },
  S13: { category: null, decides: false },
  S14: { category: 'malware_phishing', decides: false },
}

const form = /^(safe|unsafe\n(S\d{1,2}(?:, ?S\d{1,2}){0,13}))$/

export const llamaGuard = guardAdapter(llamaGuardLabels, readAnswer)

function readAnswer(content: string): GuardAnswer {
  const [, verdict, codes] = form.exec(content) ?? []
  if (!verdict) throw noAnswer()
  return codes
    ? { level: 'unsafe', labels: findLabels(llamaGuardLabels, codes.split(/, ?/)) }
    : { level: 'safe', labels: [] }
}
