import { type ChainEntry, verifyAuditChain } from '../../../platform/audit-chain.ts'
import { systemClock } from '../../../platform/clock.ts'
import { connect } from '../../../platform/database/database.ts'
import { recordCheck } from '../../../platform/observability/checks.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { showProgress } from '../../progress.ts'

const verifyAuditCommand: Command = {
  usage: 'audit verify',
  summary:
    'Recomputes the hash chain of the audit log, and exits with code 1 if a row was changed, removed or inserted.',
  details:
    'Prints the head of the chain. Store it outside the database and pass it to the next run with --expect. Without it, a completely rewritten log passes.',
  options: {
    expect: {
      type: 'string',
      description: 'A head from an earlier run, <position>:<hash>. The chain must contain it.',
    },
  },
  run: async ({ flags, environment }) => {
    const expected = readExpected(flags['expect'])
    const { READER_DATABASE_URL, CHECKS_DIRECTORY } = readSettings(environment, [
      'READER_DATABASE_URL',
      'CHECKS_DIRECTORY',
    ])
    await using connection = connect(READER_DATABASE_URL, {
      poolMax: 1,
      applicationName: 'broadside audit verify',
      statementTimeoutMs: 0,
      acceptsReadOnly: true,
    })
    const { entries, head, ok, fault_count, faults } = await verifyAuditChain(
      connection.db,
      expected,
      showProgress('verified'),
    )
    await recordCheck(CHECKS_DIRECTORY, 'audit', { ok, at: systemClock.now() })
    printJson({ entries, head, ok, ...(!ok && { fault_count, faults }) })
    if (!ok) throw new CommandError(explain(faults, fault_count))
  },
}

function readExpected(given: string | boolean | undefined): ChainEntry | null {
  if (given === undefined) return null
  const [, position, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/i.exec(String(given)) ?? []
  if (position && hash) return { position: Number(position), hash: hash.toLowerCase() }
  throw new CommandError(
    '--expect must be a head as printed by `audit verify`: a position, a colon and 64 hexadecimal digits.',
  )
}

const maxExplained = 5

function explain(faults: readonly { says: string }[], count: number): string {
  const lines = faults.slice(0, maxExplained).map(({ says }) => `  ${says}`)
  if (count > maxExplained) lines.push(`  ${count} faults in total.`)
  const whatToDo = 'Change nothing, copy the database, and follow docs/runbooks/audit.md.'
  return ['The audit log has been altered.', ...lines, whatToDo].join('\n')
}

export const commands: readonly Command[] = [verifyAuditCommand]
