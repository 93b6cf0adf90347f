/** Part of `retention` in periods.ts. */
export const streamPeriods = {
  'stream-entries': {
    expires: 'row',
    deletedBy: 'purge-expired',
    table: 'stream_entries',
    what: 'an entry in the log of the stream: the id of a post that appeared, changed or was taken down',
    keptSeconds: 86_400,
    from: 'the change',
    why: 'A reader of the stream can resume where it stopped.',
  },
} as const
