import type { CaseKind } from '../cases/kinds.ts'

/** What a case of each kind is called, what several are, and what they are about: "where …". */
export const kindWords: Record<CaseKind, { one: string; title: string; says: string }> = {
  review: { one: 'Review', title: 'Reviews', says: 'the model was unsure' },
  report: { one: 'Report', title: 'Reports', says: 'readers complained' },
  appeal: { one: 'Appeal', title: 'Appeals', says: 'the author disagrees' },
  check: { one: 'Check', title: 'Checks', says: 'the model alone has punished' },
  audit: { one: 'Audit', title: 'Audits', says: 'chance drew what the model decided alone' },
}
