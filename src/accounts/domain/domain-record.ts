import { z } from 'zod'
import { domainFile } from '../../contract/domain-limits.ts'
import { timestamp } from '../../contract/fields.ts'

/** Why a domain does not show that the account belongs to it. The codes are stable. */
export const domainRefusals = {
  name_not_resolved: 'The host name was not found.',
  address_refused: 'The host does not have at most 32 addresses, all public.',
  unreachable: 'The host did not accept a connection, or closed it.',
  tls_failed: 'The host has no valid certificate for its name.',
  timeout: `The file did not arrive within ${domainFile.timeoutMs / 1_000} seconds.`,
  redirect: 'The response was a redirect. We follow none: serve the file at this address.',
  status: 'The status of the response was not 200.',
  content_type: 'The content type of the file was not application/json.',
  too_large: `The file has more than ${domainFile.maxBytes / 1_024} KB.`,
  malformed: `The file is not JSON of the form {"accounts": ["acct_…"]} with at most ${domainFile.maxAccounts} identifiers.`,
  not_listed: 'The file does not list the identifier of this account.',
} as const

export type DomainRefusal = keyof typeof domainRefusals

const codes = Object.keys(domainRefusals) as [DomainRefusal, ...DomainRefusal[]]

export const domainRecord = z
  .strictObject({
    object: z.literal('domain'),
    domain: z.string().meta({ description: 'In its ASCII form.' }),
    status: z.enum(['verified', 'unverified']).meta({
      description: 'Only a verified domain is public. It stays verified until its checks have failed for two days.',
    }),
    checked_at: timestamp,
    url: z.url().meta({ description: 'The file that must list the identifier of the account.' }),
    reason: z
      .strictObject({ code: z.enum(codes), detail: z.string() })
      .nullable()
      .meta({ description: 'Why the last check failed; null if it did not.' }),
  })
  .meta({ component: 'Domain' })

export type DomainRecord = z.input<typeof domainRecord>

export const fileOf = (domain: string): string => `https://${domain}${domainFile.path}`

type Checked = { domain: string; isVerified: boolean; checkedAt: Date; refusal: DomainRefusal | null }

export const describeDomain = ({ domain, isVerified, checkedAt, refusal }: Checked): DomainRecord => ({
  object: 'domain',
  domain,
  status: isVerified ? 'verified' : 'unverified',
  checked_at: checkedAt.toISOString(),
  url: fileOf(domain),
  reason: refusal && { code: refusal, detail: domainRefusals[refusal] },
})

type DomainColumns = {
  domain: string | null
  verified_domain: string | null
  domain_checked_at: Date | null
  domain_refusal: string | null
}

/** The domain of an account, from its row; null if it has none. */
export function readDomainRecord(row: DomainColumns): DomainRecord | null {
  const { domain, verified_domain, domain_checked_at: checkedAt, domain_refusal } = row
  if (domain === null || checkedAt === null) return null
  const refusal = domain_refusal as DomainRefusal | null
  return describeDomain({ domain, isVerified: verified_domain !== null, checkedAt, refusal })
}

export const exampleDomain: DomainRecord = describeDomain({
  domain: 'example.com',
  isVerified: true,
  checkedAt: new Date('2026-11-15T12:00:00.000Z'),
  refusal: null,
})
