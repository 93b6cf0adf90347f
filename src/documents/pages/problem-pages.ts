import { problemsOf } from '../../contract/define-operation.ts'
import { referenceAddress } from '../../contract/generators/reference-address.ts'
import { exampleProblem } from '../../contract/problems/example-problem.ts'
import { needsOwner, type ProblemCode, problemCodes, problems } from '../../contract/problems/problems.ts'
import type { DocumentSite } from './document-site.ts'
import { type DocsFrame, docsPage } from './frame.ts'
import { actorNames, problemsPath, retryNames } from './guides/problems.ts'
import { plainText, readMarkdown } from './markdown.ts'
import { jsonFence, markCode } from './markdown-parts.ts'

/** A page for each problem at the address in its `type`, by path. */
export const problemPagesOf = (site: DocumentSite, frame: DocsFrame): [path: string, page: string][] =>
  problemCodes.map((code) => [problemsPath + code, problemPage(site, code, frame)])

const problemPage = (site: DocumentSite, code: ProblemCode, frame: DocsFrame): string =>
  docsPage(
    site,
    {
      path: problemsPath + code,
      parent: problemsPath,
      group: 'Problems',
      title: problems[code].title,
      description: plainText(problems[code].meaning),
      alternates: [{ type: 'application/json', href: `/problems/${code}.json`, title: 'This problem as data' }],
    },
    readMarkdown(problemText(site, code)),
    frame,
  )

function problemText(site: DocumentSite, code: ProblemCode): string {
  const { status, actor, remedy, retry } = problems[code]
  return [
    `**${status}** · \`${code}\` · Fixed by: ${actorNames[actor]} · Retry: ${retryNames[retry].toLowerCase()}`,
    '## What to do',
    [
      markCode(remedy),
      ...(retry === 'no' ? ['Do not send the same request again: the response would be the same.'] : []),
    ].join(' '),
    ...(needsOwner(code) ? [ownerText] : []),
    '## Example response',
    jsonFence(exampleProblem(site, code)),
    '## Where it can occur',
    placesOf(site, code),
    `[All problems](/problems/) · [This problem as JSON](/problems/${code}.json) · [How to handle errors](/docs/errors/)`,
  ].join('\n\n')
}

const ownerText =
  'The response contains `account_url` and `for_human: true`. Give the link to the account’s owner and wait until they have acted. If the link has expired, `GET /v1/account` returns a new one.'

function placesOf({ operations }: DocumentSite, code: ProblemCode): string {
  const meeting = operations.filter((operation) => problemsOf(operation).includes(code))
  if (meeting.length === 0)
    return 'Outside the operations of this site, such as an unknown path or the [MCP server](/docs/mcp/), or in operations that are not available yet.'
  if (meeting.length === operations.length) return 'In every operation.'
  return meeting
    .map(
      (operation) =>
        `- [\`${operation.method} ${operation.path}\`](${referenceAddress(operation)}): ${operation.summary}`,
    )
    .join('\n')
}
