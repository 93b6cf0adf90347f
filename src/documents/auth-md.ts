import { oauthSeconds } from '../contract/app-limits.ts'
import type { Access } from '../contract/define-operation.ts'
import { inputSchema, type JsonSchema, outputSchema } from '../contract/generators/json-schema.ts'
import { maxApiKeysPerAccount, sizeOf } from '../contract/limits.ts'
import { needsOwner, problemCodes } from '../contract/problems/problems.ts'
import { scopeNames } from '../contract/scopes.ts'
import { inWords } from '../contract/time/time-words.ts'
import { devicePath } from '../oauth/device.ts'
import { oauthPaths } from '../oauth/metadata.ts'
import { operationsOf } from '../operations.ts'
import { agentOperation, agentText, curlToCreateAccount, describeProblem } from './agent-texts.ts'
import type { DocumentedSite } from './deployment.ts'
import { fieldsOf } from './pages/schema-fields.ts'

/** The text that explains how an agent signs in or gets a key, and which actions only a person may perform. */
export function authMd(site: DocumentedSite): string {
  const { body, output, successStatus } = agentOperation(site, 'createAccount')
  return agentText('auth.md', site, {
    ...signInFacts(site),
    create_account: curlToCreateAccount(site),
    body_members: body ? listDescribed(inputSchema(body)) : '',
    output_members: listDescribed(outputSchema(output)),
    success_status: String(successStatus),
    account_limit: describeAccountLimit(site),
    key_needed: listOperations(site, 'key'),
    key_optional: listOperations(site, 'anyone'),
    owner_needed: listOperations(site, 'owner'),
    owner_problems: problemCodes.filter(needsOwner).map(describeProblem).join('\n'),
    max_keys: String(maxApiKeysPerAccount),
  })
}

function signInFacts({ deployment }: DocumentedSite) {
  const issuer = new URL(deployment.accountPageUrl).origin
  return {
    scopes: scopeNames.map((name) => `\`${name}\``).join(', '),
    access_token_valid: inWords(oauthSeconds.accessToken),
    refresh_token_valid: inWords(oauthSeconds.refreshToken),
    device_url: `${issuer}${oauthPaths.device}`,
    device_page: `${issuer}${devicePath}`,
    revoke_url: `${issuer}${oauthPaths.revoke}`,
  }
}

const listDescribed = (schema: JsonSchema): string =>
  fieldsOf(schema)
    .filter(({ description }) => description !== '')
    .map(({ path, description }) => `- \`${path}\`: ${description}`)
    .join('\n')

function describeAccountLimit({ deployment }: DocumentedSite): string {
  const max = sizeOf(deployment.allowances, 'accounts-per-address')
  return max > 0 ? `One IP address can create up to ${max} accounts per UTC day.` : ''
}

const listOperations = ({ kind }: DocumentedSite, access: Access): string =>
  operationsOf(kind)
    .filter((operation) => operation.access === access)
    .map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`)
    .join('\n')
