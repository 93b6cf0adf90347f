import { verifyLedger } from '../../../src/ledger/verify.ts'
import { connect } from '../../../src/platform/database/database.ts'

/**
 * Verifies the ledger over a connection without a time limit, as the operator's command does. The
 * timer of a time limit would keep the test process alive for twelve seconds.
 */
export async function verifyTestLedger({ urls }: { urls: { reader: string } }) {
  await using connection = connect(urls.reader, { poolMax: 1, applicationName: 'test books', statementTimeoutMs: 0 })
  return await verifyLedger(connection.db, () => {})
}
