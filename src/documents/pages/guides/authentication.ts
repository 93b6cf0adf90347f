import type { Access, Operation } from '../../../contract/define-operation.ts'
import { referenceAddress } from '../../../contract/generators/reference-address.ts'
import { maxApiKeysPerAccount } from '../../../contract/limits.ts'
import { type ProblemCode, problems } from '../../../contract/problems/problems.ts'
import type { DocumentSite } from '../document-site.ts'
import type { TextFacts } from '../fill.ts'
import { markCode, markdownTable, problemLink } from '../markdown-parts.ts'

export function authenticationFacts(site: DocumentSite): TextFacts {
  return {
    family: familyTable(site),
    operations: markdownTable(
      ['Operation', 'Description', 'Key'],
      site.operations
        .filter(({ access }) => access !== 'owner')
        .map((operation) => [linkTo(operation), operation.summary, keyOf[operation.access]]),
    ),
    owner_operations: markdownTable(
      ['Operation', 'Description'],
      site.operations
        .filter(({ access }) => access === 'owner')
        .map((operation) => [linkTo(operation), operation.summary]),
    ),
    max_keys: String(maxApiKeysPerAccount),
    problems: markdownTable(
      ['Response', 'Meaning', 'What to do'],
      aboutKeys.map((code) => [problemLink(code), markCode(problems[code].meaning), markCode(problems[code].remedy)]),
    ),
  }
}

const linkTo = (operation: Operation) => `[${operation.method} ${operation.path}](${referenceAddress(operation)})`

export const keyOf: Record<Access, string> = { anyone: 'optional', key: 'required', owner: 'the owner’s session' }

const aboutKeys: readonly ProblemCode[] = [
  'missing_api_key',
  'invalid_api_key',
  'owner_session_required',
  'owner_required',
  'key_read_only',
  'key_cap_reached',
  'account_banned',
  'email_unverified',
]

export const familyTable = ({ family }: DocumentSite): string =>
  markdownTable(
    ['Site', 'Address'],
    family.map(({ title, tagline, baseUrl }) => [`**${title}**: ${tagline}`, `[${baseUrl}](${baseUrl}/)`]),
  )
