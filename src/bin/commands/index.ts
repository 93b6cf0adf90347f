import type { Command } from '../command.ts'

type Group = { words: readonly string[]; load: () => Promise<{ commands: readonly Command[] }> }

/**
 * All commands of `npm run broadside` by their first word, in the order of the help. Only the files of the called
 * command are loaded, because loading the whole program takes longer than most commands run.
 */
const groups: readonly Group[] = [
  { words: ['start'], load: () => import('./processes/start.ts') },
  { words: ['api'], load: () => import('./processes/api.ts') },
  { words: ['owner-page'], load: () => import('./processes/owner-page.ts') },
  { words: ['desk'], load: () => import('./processes/desk.ts') },
  { words: ['cards'], load: () => import('./processes/cards.ts') },
  { words: ['model'], load: () => import('./processes/model.ts') },
  { words: ['judge'], load: () => import('./moderation/judge.ts') },
  { words: ['worker'], load: () => import('./processes/worker.ts') },
  { words: ['database', 'migrate'], load: () => import('./processes/migrate.ts') },
  { words: ['database'], load: () => import('./operator/database-password.ts') },
  { words: ['rolling-restart'], load: () => import('./processes/rolling-restart.ts') },
  { words: ['gateway'], load: () => import('./processes/gateway.ts') },
  { words: ['gateway-metrics'], load: () => import('./processes/gateway-metrics.ts') },
  { words: ['doctor'], load: () => import('./operator/doctor.ts') },
  { words: ['settings'], load: () => import('./operator/settings.ts') },
  { words: ['documents', 'rebuild'], load: () => import('./operator/pages.ts') },
  { words: ['erasures'], load: () => import('./records/erasures.ts') },
  { words: ['reindex'], load: () => import('./operator/search.ts') },
  { words: ['credit', 'debit', 'ledger'], load: () => import('./operator/money.ts') },
  { words: ['audit'], load: () => import('./records/audit.ts') },
  { words: ['log'], load: () => import('./records/log.ts') },
  { words: ['check'], load: () => import('./operator/checks.ts') },
  { words: ['payments'], load: () => import('./operator/payments.ts') },
  { words: ['account', 'keys'], load: () => import('./operator/accounts.ts') },
  { words: ['staff'], load: () => import('./operator/staff.ts') },
  { words: ['secrets'], load: () => import('./operator/secrets.ts') },
  { words: ['post', 'decide', 'remove', 'restore', 'dismiss'], load: () => import('./operator/posts.ts') },
  { words: ['reports'], load: () => import('./operator/reports.ts') },
  { words: ['decisions'], load: () => import('./moderation/decisions.ts') },
  { words: ['labels'], load: () => import('./moderation/labels.ts') },
  { words: ['clock'], load: () => import('./operator/clock.ts') },
]

/** The commands that start with this word; all commands if there are none. */
export async function loadCommands(word?: string): Promise<readonly Command[]> {
  const called = groups.filter(({ words }) => word !== undefined && words.includes(word))
  const loaded = await Promise.all((called.length > 0 ? called : groups).map(({ load }) => load()))
  return loaded.flatMap(({ commands }) => commands)
}
