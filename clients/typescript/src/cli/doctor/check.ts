import type { ExitName } from '../command-table.ts'

/** One line of the report. A failure says how the command exits. */
export type Finding = {
  name: string
  result: 'ok' | 'warning' | 'failed'
  detail: string
  /** What to do. */
  advice?: string
  exit?: ExitName
}

export const ok = (name: string, detail: string): Finding => ({ name, result: 'ok', detail })
export const warning = (name: string, detail: string, advice: string): Finding => ({
  name,
  result: 'warning',
  detail,
  advice,
})
export const failed = (name: string, exit: ExitName, detail: string, advice: string): Finding => ({
  name,
  result: 'failed',
  detail,
  advice,
  exit,
})
