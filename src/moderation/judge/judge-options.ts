import type { Settings } from '../../platform/settings.ts'
import type { JudgeOptions } from './ask-judge.ts'

export const judgeSettings = [
  'JUDGE_URL',
  'JUDGE_NAME',
  'JUDGE_FORM',
  'JUDGE_API_KEY',
  'MODEL_TIMEOUT_SECONDS',
] as const

/** How the judge is asked; null when there is none. */
export function judgeOptions(settings: Settings<(typeof judgeSettings)[number]>): JudgeOptions | null {
  const { JUDGE_URL: url, JUDGE_NAME: name, JUDGE_FORM: form, JUDGE_API_KEY: apiKey } = settings
  return url ? { url, name, form, apiKey, timeoutMs: settings.MODEL_TIMEOUT_SECONDS * 1_000 } : null
}
