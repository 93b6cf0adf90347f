/**
 * How long erased data can stay in backups: as long as most data that expires. deploy/pgbackrest keeps 21 days; the
 * oldest full backup is up to a week older, and a daily backup deletes it.
 */
export const backupsKeptDays = 30

/** Twice as long: while new backups fail, the old ones stay. */
export const erasureLogKeptDays = 2 * backupsKeptDays
