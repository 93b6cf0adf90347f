import { findLabels, type GuardAnswer, type GuardLabels, guardAdapter, noAnswer } from './guard.ts'

/**
 * The labels of Qwen3Guard-Gen, from its model card. Self-harm includes a person's own distress, and unethical acts
 * include much that may be published, so a person decides these. The model does not distinguish minors from adults, or
 * spam from offers.
 */
export const qwen3guardLabels: GuardLabels = {
  Violent: { category: 'violence_threats', decides: true },
  'Non-violent Illegal Acts': { category: 'illegal_goods', decides: true },
  'Sexual Content or Sexual Acts': { category: 'sexual', decides: true },
  PII: { category: 'personal_data', decides: true },
  'Suicide & Self-Harm': { category: 'self_harm', decides: false },
  'Unethical Acts': { category: 'hate_harassment', decides: false },
  'Politically Sensitive Topics': { category: null, decides: false },
  'Copyright Violation': { category: null, decides: false },
  Jailbreak: { category: 'prompt_injection', decides: true },
}

const form = /^Safety: (Safe|Controversial|Unsafe)\nCategories: ([^\n]{1,300})$/
const levels = { Safe: 'safe', Controversial: 'unsure', Unsafe: 'unsafe' } as const

export const qwen3guard = guardAdapter(qwen3guardLabels, readAnswer)

function readAnswer(content: string): GuardAnswer {
  const [, safety, names] = form.exec(content) ?? []
  if (!safety || !names) throw noAnswer()
  const level = levels[safety as keyof typeof levels]
  if ((level === 'safe') !== (names === 'None')) throw noAnswer()
  return { level, labels: level === 'safe' ? [] : findLabels(qwen3guardLabels, names.split(', ')) }
}
