import type { Command } from '../command.ts'
import { banAccount, revokeKey, showAccount, unbanAccount } from './accounts.ts'
import { api } from './api.ts'
import { advanceClock, resetClock } from './clock.ts'
import { migrateCommand, prepareDatabase } from './migrate.ts'
import { creditCommand, debitCommand, verifyLedgerCommand } from './money.ts'
import { ownerPage } from './owner-page.ts'
import { listSettings } from './settings.ts'
import { start } from './start.ts'

/** Everything that `npm run broadside` can do, in the order that its help lists it. */
export const commands: readonly Command[] = [
  start,
  api,
  ownerPage,
  prepareDatabase,
  migrateCommand,
  listSettings,
  creditCommand,
  debitCommand,
  verifyLedgerCommand,
  showAccount,
  banAccount,
  unbanAccount,
  revokeKey,
  advanceClock,
  resetClock,
]
