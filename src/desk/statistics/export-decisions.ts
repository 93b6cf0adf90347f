import { z } from 'zod'
import { type DecisionDays, listAllDecisions } from '../../cases/export/list-all-decisions.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { recordStaffAction } from '../../staff/audit-log.ts'
import { defineDeskRoute } from '../route.ts'
import { statisticsPage } from './statistics-page.ts'

const day = z.iso.date()

/** A POST although it only reads: exporting all decisions is an action, and actions are logged. */
export const exportDecisions = defineDeskRoute({
  method: 'POST',
  path: '/numbers/decisions',
  needs: 'lead',
  form: z.object({ since: day, until: day }).refine(({ since, until }) => since <= until, {
    path: ['until'],
    error: 'must not be before the first day',
  }),
  answer: async ({ db, clock, session, form: { since, until } }) => {
    const details = { since, until }
    await inTransaction(db, (tx) =>
      recordStaffAction(tx, { staffId: session.member.id, action: 'decisions.export', at: clock.now(), details }),
    )
    const name = `decisions-${since}-to-${until}.ndjson`
    return { file: linesOf(db, { since, until }), type: 'application/x-ndjson; charset=utf-8', name }
  },
  unfit: (asked, faults) => {
    const { since = '', until = '' } = asked.form
    return statisticsPage(asked, { wanted: { since, until }, faults })
  },
})

async function* linesOf(db: Database, days: DecisionDays): AsyncGenerator<string> {
  for await (const decision of listAllDecisions(db, days)) yield `${JSON.stringify(decision)}\n`
}
