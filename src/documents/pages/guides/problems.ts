import type { ProblemDefinition } from '../../../contract/problems/problem-definition.ts'
import { type ProblemCode, problems } from '../../../contract/problems/problems.ts'
import type { TextFacts } from '../fill.ts'
import { markCode, markdownTable } from '../markdown-parts.ts'
import { byStatus } from './errors.ts'

export const problemsPath = 'problems/'

/** The catalog, with a table for each status. */
export const problemsFacts = (): TextFacts => ({
  catalog: [...Map.groupBy(byStatus(), (code) => problems[code].status)]
    .map(([status, codes]) => `## ${status} ${statusNames[status]} {#status-${status}}\n\n${tableOf(codes)}`)
    .join('\n\n'),
})

/** The names in the registry of HTTP status codes. */
const statusNames: Record<(typeof problems)[ProblemCode]['status'], string> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  421: 'Misdirected Request',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

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
