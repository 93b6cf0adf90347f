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
  'log-queue': {
    expires: 'row',
    deletedBy: 'purge-expired',
    isInternal: true,
    table: 'log_queue',
    what: 'an entry that the transparency log has taken up',
    keptSeconds: 86_400,
    from: 'its queueing',
    why: 'A removal that follows soon names the entry by this row.',
  },
} as const
