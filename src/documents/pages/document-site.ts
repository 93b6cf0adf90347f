import type { Operation } from '../../contract/define-operation.ts'
import type { AllowanceSizes } from '../../contract/limits.ts'
import { type Kind, kinds } from '../../kinds/index.ts'
import { operationsOf } from '../../operations.ts'
import type { SiteView } from '../../publishing/views.ts'

/** The deployment settings that the pages show. */
export type PagesDeployment = {
  sites: Record<string, string>
  accountPageUrl: string
  allowances: AllowanceSizes
  feeReturnHours: number
  operatorName: string
  operatorTerms: string | null
  contactEmail: string
}

/** A site with the data that its documents show. */
export type DocumentSite = SiteView &
  Omit<PagesDeployment, 'sites'> & {
    operations: readonly Operation[]
  }

export function documentSite(kind: Kind, deployment: PagesDeployment): DocumentSite {
  const { sites, accountPageUrl, allowances, feeReturnHours } = deployment
  const { operatorName, operatorTerms, contactEmail } = deployment
  const family = kinds.map((one) => ({
    ...one.site,
    kind: one.name,
    definition: one,
    baseUrl: String(sites[one.name]),
  }))
  const baseUrl = String(sites[kind.name])
  return {
    ...{ kind, baseUrl, family, accountPageUrl, allowances, feeReturnHours },
    ...{ operatorName, operatorTerms, contactEmail },
    operations: operationsOf(kind),
  }
}
