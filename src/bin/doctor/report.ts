import { styleText } from 'node:util'
import type { Result } from './run.ts'

const labels = { ok: 'ok', warning: 'warning', problem: 'problem', unchecked: 'not checked' } as const
const colours = { ok: 'green', warning: 'yellow', problem: 'red', unchecked: 'magenta' } as const
const labelWidth = Math.max(...Object.values(labels).map((label) => label.length))

/** One line for each check; below it, cause and fix of everything found. Colours appear only on a terminal. */
export function renderReport(results: readonly Result[], stream: NodeJS.WriteStream = process.stdout): string {
  const nameWidth = Math.max(...results.map(({ check }) => check.length))
  const paint = (status: keyof typeof labels) =>
    styleText(colours[status], labels[status].padEnd(labelWidth), { stream, validateStream: true })
  const lines = results.flatMap(({ check, status, summary, findings }) => [
    `${paint(status)}  ${findings.length > 0 ? check : `${check.padEnd(nameWidth)}  ${summary}`}`,
    ...findings.flatMap(({ level, cause, fix }) => [
      `${' '.repeat(labelWidth)}  ${labels[level]}: ${indented(cause)}`,
      `${' '.repeat(labelWidth)}  fix: ${indented(fix)}`,
    ]),
  ])
  return [...lines, '', total(results)].join('\n')
}

const indented = (text: string) => text.trim().replaceAll('\n', `\n${' '.repeat(labelWidth + 4)}`)

function total(results: readonly Result[]): string {
  const all = results.flatMap(({ findings }) => findings)
  const counted = (['problem', 'warning', 'unchecked'] as const).map((level) => {
    const count = all.filter((finding) => finding.level === level).length
    return { count, text: `${count} ${labels[level]}${count > 1 && level !== 'unchecked' ? 's' : ''}` }
  })
  const parts = counted.flatMap(({ count, text }) => (count > 0 ? text : []))
  return `${results.length} ${results.length === 1 ? 'check' : 'checks'}: ${parts.join(', ') || 'no problems'}.`
}

/** The same for programs. */
export const reportForPrograms = (results: readonly Result[]) => ({ ok: isFine(results), checks: results })

/** True if there is no problem and every check was made. Warnings are allowed. */
export const isFine = (results: readonly Result[]): boolean =>
  results.every(({ status }) => status === 'ok' || status === 'warning')
