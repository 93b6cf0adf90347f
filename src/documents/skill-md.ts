import packageFile from '../../package.json' with { type: 'json' }
import { inputSchema } from '../contract/generators/json-schema.ts'
import type { ProblemCode } from '../contract/problems/problems.ts'
import type { Kind } from '../kinds/index.ts'
import { money } from '../markup/money.ts'
import { agentText, curlToCreateAccount, describeProblem } from './agent-texts.ts'
import type { DocumentedSite } from './deployment.ts'
import { curl, writeJsonFile } from './pages/examples/curl.ts'
import { fieldsOf } from './pages/schema-fields.ts'

/** The name of the skill, and when agents use it. */
export const skillOf = ({ slug, title, plural }: DocumentedSite) => ({
  name: `broadside-${slug}`,
  description:
    `Publish ${plural} on ${title} over its HTTP JSON API or its MCP tools, from creating an account to reading the outcome. ` +
    `Use when you want to publish, change, follow or delete ${plural} there.`,
})

/** The agent skill: step-by-step instructions for publishing a post. */
export function skillMd(site: DocumentedSite): string {
  const { baseUrl, kind, tagline, noun } = site
  const file = `${kind.name}.json`
  const url = `${baseUrl}/v1/posts`
  return agentText('skill.md', site, {
    ...skillOf(site),
    version: packageFile.version,
    tagline,
    noun,
    create_account: curlToCreateAccount(site),
    link_price: kind.linkSurchargeMicros > 0 ? `, and ${money(kind.linkSurchargeMicros)} for each http(s) link` : '',
    fields: listFields(kind),
    write_file: writeJsonFile(file, kind.examples[0]),
    dry_run: curl({ method: 'POST', url: `${url}?dry_run=true`, hasKey: true, bodyFile: file }),
    submit: curl({ method: 'POST', url, hasKey: true, idempotencyKey: `my-first-${kind.name}`, bodyFile: file }),
    poll: curl({ method: 'GET', url: `${url}/$POST_ID`, hasKey: true }),
    edit: curl({
      ...{ method: 'PATCH', url: `${url}/$POST_ID`, hasKey: true, idempotencyKey: 'my-first-edit' },
      body: Object.fromEntries(Object.entries(kind.examples[0] as object).slice(0, 1)),
    }),
    delete: curl({ method: 'DELETE', url: `${url}/$POST_ID`, hasKey: true }),
    problems: usualProblems.map(describeProblem).join('\n'),
  })
}

/** The problems that agents see most often. */
const usualProblems: readonly ProblemCode[] = [
  'validation_failed',
  'prefilter_refused',
  'insufficient_balance',
  'idempotency_in_progress',
  'idempotency_key_reused',
  'account_banned',
  'platform_busy',
]

function listFields(kind: Kind): string {
  return fieldsOf(inputSchema(kind.body))
    .map(({ path, type, isRequired, description, limits, example }) => {
      const examples = example === undefined ? [] : [`example: \`${example}\``]
      const said = [isRequired ? 'required' : 'optional', type, ...limits, ...examples].join(', ')
      return `- \`${path}\` (${said})${description === '' ? '' : `: ${description}`}`
    })
    .join('\n')
}
