import { exampleProblem } from '../../../contract/problems/example-problem.ts'
import type { ProblemDefinition } from '../../../contract/problems/problem-definition.ts'
import { type ProblemCode, problemCodes, problems } from '../../../contract/problems/problems.ts'
import { fieldErrorsOf } from '../../../contract/problems/validation-errors.ts'
import type { DocumentSite } from '../document-site.ts'
import { pythonLiteral } from '../examples/python.ts'
import { typescriptLiteral } from '../examples/typescript.ts'
import type { TextFacts } from '../fill.ts'
import { codeFence, jsonFence, markdownTable, problemLink } from '../markdown-parts.ts'

export function errorsFacts(site: DocumentSite): TextFacts {
  return {
    example: jsonFence(exampleProblem(site, 'insufficient_balance')),
    helpful: jsonFence({ errors: helpfulErrors(site) }),
    typed: [codeFence('ts', typedInTypeScript(site)), codeFence('python', typedInPython(site))].join('\n\n'),
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

/** What the service says about a post with a misspelt field and, where posts have places, a city by its name. */
function helpfulErrors({ kind, baseUrl }: DocumentSite): object[] {
  const { topics: topic, ...others } = kind.examples[0] as Record<string, unknown>
  const hasPlaces = 'location' in kind.content.shape
  const input = { ...others, topic, ...(hasPlaces && { location: { country: 'PT', city: 'Lisbon' } }) }
  const { error } = kind.body.safeParse(input)
  return (error ? fieldErrorsOf(error, { schema: kind.body, input }) : []).map((one) => ({
    ...one,
    ...(one.docs && { docs: baseUrl + one.docs }),
  }))
}

const typedInTypeScript = ({
  kind: { name, examples },
}: DocumentSite) => `import { Broadside, InsufficientBalanceError, ValidationFailedError } from 'broadside'

const broadside = new Broadside()
try {
  await broadside.check('${name}', ${typescriptLiteral(examples[0], 1)})
} catch (error) {
  if (error instanceof InsufficientBalanceError) console.log(\`Ask the owner to open \${error.accountUrl}\`)
  else if (error instanceof ValidationFailedError) console.log(error.errors)
  else throw error
}`

const typedInPython = ({
  kind: { name, examples },
}: DocumentSite) => `from broadside import Broadside, InsufficientBalanceError, ValidationFailedError

broadside = Broadside()
try:
    broadside.check("${name}", ${pythonLiteral(examples[0], 1)})
except InsufficientBalanceError as problem:
    print(f"Ask the owner to open {problem.account_url}")
except ValidationFailedError as problem:
    print(problem.errors)`
