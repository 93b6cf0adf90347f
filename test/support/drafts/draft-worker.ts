import { sitesFromSettings } from '../../../src/bin/sites.ts'
import { submitDraft } from '../../../src/drafts/submit-draft.ts'
import { kinds } from '../../../src/kinds/index.ts'
import { estimateFor } from '../../../src/moderation/status/estimate.ts'
import { systemClock as clock } from '../../../src/platform/clock.ts'
import { connect } from '../../../src/platform/database/database.ts'

/** A process that submits one draft, and can be killed while it does. */
const url = String(process.env['WORKER_DATABASE_URL'])
await using connection = connect(url, { poolMax: 2, applicationName: 'draft worker' })
const { db } = connection
const sites = sitesFromSettings(Object.fromEntries(kinds.map(({ name }) => [name, `https://${name}.example`])))
const parts = { db, clock, sites, estimate: estimateFor.bind(null, { db, clock }) }
await submitDraft(parts, String(process.env['DRAFT_ID']))
