import type { AllowanceSizes } from '../contract/limits.ts'
import type { SiteWords } from '../kinds/define-kind.ts'
import { type Kind, kinds } from '../kinds/index.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { operatorFrom } from '../platform/settings/subjects/contact-settings.ts'

/** Values that differ between installations. */
export type Deployment = {
  /** Each site's base URL, by the name of its kind. */
  sites: Record<string, string>
  accountPageUrl: string
  allowances: AllowanceSizes
  /** Hours in review after which the fee is returned. */
  feeReturnHours: number
  operatorName: string
  /** The operator's own terms in Markdown; null if there are none. */
  operatorTerms: string | null
  contactEmail: string
  /** A mailto: or https: address for vulnerability reports. */
  securityContact: string
  /** When the documents are written; security.txt derives its expiry from it. */
  writtenAt: Date
}

/** The deployment that the committed documents describe. A real deployment generates documents from its settings. */
export const exampleDeployment: Deployment = {
  sites: Object.fromEntries(kinds.map(({ name, site }) => [name, `https://${site.slug}.broadside.example`])),
  accountPageUrl: 'https://account.broadside.example',
  allowances: {},
  feeReturnHours: 72,
  operatorName: 'The Broadside Company',
  operatorTerms: null,
  contactEmail: 'hello@broadside.example',
  securityContact: 'mailto:security@broadside.example',
  writtenAt: new Date('2026-11-15T00:00:00Z'),
}

export const deploymentSettings = [
  'SITES',
  'ACCOUNT_PAGE_URL',
  'ACCOUNTS_PER_ADDRESS_PER_DAY',
  'REVIEW_FEE_RETURN_HOURS',
  'OPERATOR_NAME',
  'OPERATOR_TERMS',
  'CONTACT_EMAIL',
  'SECURITY_CONTACT',
] as const

export function deploymentFrom(settings: Settings<(typeof deploymentSettings)[number]>, writtenAt: Date): Deployment {
  const accountsPerAddress = settings.ACCOUNTS_PER_ADDRESS_PER_DAY
  const { name: operatorName, email: contactEmail } = operatorFrom(settings)
  return {
    sites: settings.SITES,
    accountPageUrl: settings.ACCOUNT_PAGE_URL,
    allowances: accountsPerAddress === undefined ? {} : { 'accounts-per-address': accountsPerAddress },
    feeReturnHours: settings.REVIEW_FEE_RETURN_HOURS,
    operatorName,
    operatorTerms: settings.OPERATOR_TERMS ?? null,
    contactEmail,
    securityContact: settings.SECURITY_CONTACT ?? `mailto:${contactEmail}`,
    writtenAt,
  }
}

/** The address and the name of a site. */
export type Address = SiteWords & { baseUrl: string; hostname: string }

/** The site data that documents need. */
export type DocumentedSite = Address & {
  kind: Kind
  deployment: Deployment
  /** The other sites, in the order of the kinds. */
  sisters: readonly Address[]
}

/** The sites that have an address in this deployment. */
export function documentedSites(deployment: Deployment): DocumentedSite[] {
  const found = kinds.flatMap((kind) => {
    const baseUrl = deployment.sites[kind.name]
    return baseUrl ? [{ kind, address: { ...kind.site, baseUrl, hostname: new URL(baseUrl).hostname } }] : []
  })
  return found.map(({ kind, address }) => ({
    ...address,
    kind,
    deployment,
    sisters: found.filter((other) => other.kind !== kind).map((other) => other.address),
  }))
}
