import { sitesFromSettings } from '../../../src/bin/sites.ts'
import type { SubmittingDrafts } from '../../../src/drafts/submit-draft.ts'
import { estimateFor } from '../../../src/moderation/status/estimate.ts'
import type { Service } from '../../../tooling/environment/service.ts'

/** What a worker submits drafts with: its own rights, and the sites of the service. */
export const submittingParts = ({ workerDb: db, clock, baseUrls }: Service): SubmittingDrafts => ({
  db,
  clock,
  sites: sitesFromSettings(baseUrls),
  estimate: (place) => estimateFor({ db, clock }, place),
})
