import type { Command } from '../command.ts'
import { banAccount, revokeKey, showAccount, unbanAccount } from './accounts.ts'
import { api } from './api.ts'
import { advanceClock, resetClock } from './clock.ts'
import { gatewayCommand } from './gateway.ts'
import { migrateCommand, prepareDatabase } from './migrate.ts'
import { model } from './model.ts'
import { creditCommand, debitCommand, verifyLedgerCommand } from './money.ts'
import { ownerPage } from './owner-page.ts'
import { documentsCommand, rebuildCommand } from './pages.ts'
import { decidePost, removePostCommand, restorePost } from './posts.ts'
import { dismissReports, listReports, showReports } from './reports.ts'
import { reindexCommand } from './search.ts'
import { rotateSecretsCommand } from './secrets.ts'
import { listSettings } from './settings.ts'
import { start } from './start.ts'
import { worker } from './worker.ts'

/** Everything that `npm run broadside` can do, in the order that its help lists it. */
export const commands: readonly Command[] = [
  start,
  api,
  ownerPage,
  model,
  worker,
  prepareDatabase,
  migrateCommand,
  gatewayCommand,
  listSettings,
  documentsCommand,
  rebuildCommand,
  reindexCommand,
  creditCommand,
  debitCommand,
  verifyLedgerCommand,
  showAccount,
  banAccount,
  unbanAccount,
  revokeKey,
  rotateSecretsCommand,
  decidePost,
  removePostCommand,
  restorePost,
  listReports,
  showReports,
  dismissReports,
  advanceClock,
  resetClock,
]
