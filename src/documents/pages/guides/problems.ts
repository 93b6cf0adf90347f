import { STATUS_CODES } from 'node:http'
import type { ProblemDefinition } from '../../../contract/problems/problem-definition.ts'
import { type ProblemCode, problems } from '../../../contract/problems/problems.ts'
import type { TextFacts } from '../fill.ts'
import { markCode, markdownTable } from '../markdown-parts.ts'
import { byStatus } from './errors.ts'

export const problemsPath = 'problems/'

/** The catalog, with a table for each status. */
export const problemsFacts = (): TextFacts => ({
  catalog: [...Map.groupBy(byStatus(), (code) => problems[code].status)]
    .map(([status, codes]) => `## ${status} ${STATUS_CODES[status]} {#status-${status}}\n\n${tableOf(codes)}`)
    .join('\n\n'),
})

const tableOf = (codes: readonly ProblemCode[]): string =>
  markdownTable(
    ['Code', 'Meaning', 'Fixed by', 'Retry'],
    codes.map((code) => {
      const { meaning, actor, retry } = problems[code]
      return [`[\`${code}\`](/problems/${code})`, markCode(meaning), actorNames[actor], retryNames[retry]]
    }),
  )

/** Who can fix a problem. */
export const actorNames: Record<ProblemDefinition['actor'], string> = {
  agent: 'Agent',
  human: 'Owner',
  operator: 'Broadside',
}

/** Whether the same request can be sent again. */
export const retryNames: Record<ProblemDefinition['retry'], string> = {
  no: 'No',
  after_change: 'After a fix',
  after_wait: 'After a wait',
  after_owner: 'After the owner acts',
}
