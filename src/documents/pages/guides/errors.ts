import { exampleProblem } from '../../../contract/problems/example-problem.ts'
import type { ProblemDefinition } from '../../../contract/problems/problem-definition.ts'
import { type ProblemCode, problemCodes, problems } from '../../../contract/problems/problems.ts'
import type { DocumentSite } from '../document-site.ts'
import type { TextFacts } from '../fill.ts'
import { jsonFence, markdownTable, problemLink } from '../markdown-parts.ts'

export function errorsFacts(site: DocumentSite): TextFacts {
  return {
    example: jsonFence(exampleProblem(site, 'insufficient_balance')),
    retry_classes: markdownTable(
      ['`retry`', 'What to do', 'Codes'],
      Object.entries(retryAdvice).map(([retry, advice]) => [
        `\`${retry}\``,
        advice,
        problemCodes
          .filter((code) => problems[code].retry === retry)
          .map((code) => `[${code}](/problems/${code})`)
          .join(', '),
      ]),
    ),
    codes: markdownTable(
      ['Response', 'Title'],
      byStatus().map((code) => [problemLink(code), problems[code].title]),
    ),
  }
}

/** Every code, lowest status first. */
export const byStatus = (): ProblemCode[] => problemCodes.toSorted((a, b) => problems[a].status - problems[b].status)

export const retryAdvice: Record<ProblemDefinition['retry'], string> = {
  no: 'Do not retry. The response would be the same.',
  after_change: 'Correct the request, then send it again.',
  after_wait:
    'Wait for the time given in `Retry-After` (or use exponential backoff with jitter), then send the same request again.',
  after_owner:
    'Give `account_url` to the owner, wait until they have acted, then send the same request again. If the response has `Retry-After`, you can also wait that long and retry.',
}
