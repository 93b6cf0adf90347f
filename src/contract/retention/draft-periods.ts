const row = { expires: 'row', deletedBy: 'purge-expired' } as const

/** Part of `retention` in periods.ts. */
export const draftPeriods = {
  drafts: {
    ...row,
    table: 'drafts',
    what: 'a draft that was submitted, declined or cancelled, that expired or failed; only a failed one keeps its text',
    keptSeconds: 30 * 86_400,
    from: 'it ended',
    why: 'You can see what became of it.',
  },
  'draft-links': {
    ...row,
    table: 'draft_links',
    what: 'an emailed link to decide on drafts',
    keptSeconds: 0,
    from: 'it expires',
    why: 'It opens the page with the drafts of an account.',
  },
} as const
