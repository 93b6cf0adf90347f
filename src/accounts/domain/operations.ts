import { z } from 'zod'
import { defineOperation } from '../../contract/define-operation.ts'
import { domainFile } from '../../contract/domain-limits.ts'
import { nothing } from '../../contract/fields.ts'
import { removeDomain, setDomain } from './change-domain.ts'
import { domainName } from './domain-name.ts'
import { domainRecord, exampleDomain } from './domain-record.ts'

const shared = { path: '/v1/account/domain', access: 'key', scopes: ['account'], tag: 'Accounts' } as const

const putDomain = defineOperation({
  ...shared,
  id: 'setDomain',
  method: 'PUT',
  whenBanned: 'refused',
  safeToRepeat: true,
  successStatus: 200,
  summary: 'Show that your account belongs to a domain',
  description:
    `Reads https://<domain>${domainFile.path}, which must be {"accounts": ["acct_…"]} with the identifier of your account, ` +
    'and answers at once. Your posts then show the domain as `author_domain`. An account has one domain. A domain that ' +
    'fails the check does not replace another one that is verified. See /docs/verification/#verified-domain.',
  body: z.strictObject({
    domain: domainName.meta({
      description: 'Without https://, a port or a path. An international name gets its ASCII form.',
    }),
  }),
  output: domainRecord,
  problems: ['rate_limited'],
  allowance: 'domain-checks-per-account',
  examples: { body: { domain: exampleDomain.domain }, output: exampleDomain },
  handle: (call, { body }) => setDomain(call, body.domain),
})

const deleteDomain = defineOperation({
  ...shared,
  id: 'deleteDomain',
  method: 'DELETE',
  whenBanned: 'allowed',
  successStatus: 204,
  summary: 'Stop showing your domain',
  description: 'Ends the domain of your account. Your posts no longer show it. Repeating the call succeeds.',
  output: nothing,
  problems: [],
  examples: { output: undefined },
  handle: async (call) => {
    await removeDomain(call)
    return undefined
  },
})

export const domainOperations = [putDomain, deleteDomain]
