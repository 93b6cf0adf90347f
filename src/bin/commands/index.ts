import type { Command } from '../command.ts'

type Group = { words: readonly string[]; load: () => Promise<{ commands: readonly Command[] }> }

/**
 * Everything that `npm run broadside` can do, in the order that its help lists it, by the first words of the commands. Only
 * what is called is loaded: to read the whole program takes longer than most commands do.
 */
const groups: readonly Group[] = [
  { words: ['start'], load: () => import('./start.ts') },
  { words: ['api'], load: () => import('./api.ts') },
  { words: ['owner-page'], load: () => import('./owner-page.ts') },
  { words: ['desk'], load: () => import('./desk.ts') },
  { words: ['model'], load: () => import('./model.ts') },
  { words: ['model'], load: () => import('./shadow.ts') },
  { words: ['judge'], load: () => import('./judge.ts') },
  { words: ['worker'], load: () => import('./worker.ts') },
  { words: ['database', 'migrate'], load: () => import('./migrate.ts') },
  { words: ['gateway'], load: () => import('./gateway.ts') },
  { words: ['settings'], load: () => import('./settings.ts') },
  { words: ['documents', 'rebuild'], load: () => import('./pages.ts') },
  { words: ['reindex'], load: () => import('./search.ts') },
  { words: ['credit', 'debit', 'ledger'], load: () => import('./money.ts') },
  { words: ['audit'], load: () => import('./audit.ts') },
  { words: ['payments'], load: () => import('./payments.ts') },
  { words: ['account', 'keys'], load: () => import('./accounts.ts') },
  { words: ['staff'], load: () => import('./staff.ts') },
  { words: ['secrets'], load: () => import('./secrets.ts') },
  { words: ['decide', 'remove', 'restore', 'dismiss'], load: () => import('./posts.ts') },
  { words: ['reports'], load: () => import('./reports.ts') },
  { words: ['decisions'], load: () => import('./decisions.ts') },
  { words: ['labels'], load: () => import('./labels.ts') },
  { words: ['canaries'], load: () => import('./canaries.ts') },
  { words: ['clock'], load: () => import('./clock.ts') },
]

/** The commands that begin with this word; all of them when none does. */
export async function loadCommands(word?: string): Promise<readonly Command[]> {
  const called = groups.filter(({ words }) => word !== undefined && words.includes(word))
  const loaded = await Promise.all((called.length > 0 ? called : groups).map(({ load }) => load()))
  return loaded.flatMap(({ commands }) => commands)
}
