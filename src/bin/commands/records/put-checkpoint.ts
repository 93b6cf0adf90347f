import { readFile } from 'node:fs/promises'
import { connect, type Database } from '../../../platform/database/database.ts'
import { openPages } from '../../../platform/page-store/open-pages.ts'
import { pagesPlaceFrom, pagesSettings } from '../../../platform/page-store/pages-settings.ts'
import type { PageStore } from '../../../platform/page-store/site-store.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Checkpoint, readCheckpoint } from '../../../transparency-log/checkpoints.ts'
import { type LogHead, logFolder, readLogHead, storeOfLog } from '../../../transparency-log/log.ts'
import { type NoteKey, parseVerifierKey } from '../../../transparency-log/notes.ts'
import { continues } from '../../../transparency-log/read-tiles.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { asOperator, audited } from '../../operator.ts'

export const putCheckpointCommand: Command = {
  usage: 'log put-checkpoint <file>',
  summary: 'Publishes a checkpoint of the transparency log again, in place of a damaged one.',
  details:
    'The file is a checkpoint that was published before, from a witness, a reader or a copy. It must be signed by the open log, ' +
    'and the database must have all its entries. It is written as workers write it; afterwards run `log resume`.',
  run: async ({ values, environment }) => {
    const settings = readSettings(environment, ['READER_DATABASE_URL', ...pagesSettings])
    const note = await readFile(String(values['file']), 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`The file cannot be read: ${error.code}.`)
    })
    await using pages = openPages(pagesPlaceFrom(settings))
    await using reader = connect(settings.READER_DATABASE_URL, {
      ...{ poolMax: 1, applicationName: 'broadside log put-checkpoint', statementTimeoutMs: 0, acceptsReadOnly: true },
    })
    const head = await readLogHead(reader.db)
    if (!head) throw new CommandError('There is no transparency log yet.')
    const { size } = await checkNote(reader.db, head, note)
    const store = storeOfLog(await pages.openSite(logFolder), head.origin)
    const isPublished = await checkPublished(store, { size, note }, parseVerifierKey(head.verifierKey))
    if (!isPublished)
      await asOperator(environment, async (db, at) => {
        // A bucket compares the sizes as fences, also with that of the damaged file.
        await store.apply(new Map([['checkpoint', note]]), Math.max(size, head.publishedSize))
        const act = { action: 'log.put_checkpoint', accountId: null, at, details: { origin: head.origin, size } }
        await audited(db, act, async () => 'done')
      })
    printJson({ written: !isPublished, origin: head.origin, size })
  },
}

/** A checkpoint of another log, or of a tree that this database does not have, would stop the log again. */
async function checkNote(db: Database, head: LogHead, note: string): Promise<Checkpoint> {
  const checkpoint = readCheckpoint(note, parseVerifierKey(head.verifierKey))
  if (!checkpoint)
    throw new CommandError(`The file is not a checkpoint of ${head.origin}, signed with the key ${head.verifierKey}.`)
  if (checkpoint.size > head.size)
    throw new CommandError(
      `The checkpoint has ${checkpoint.size} entries, and the database only ${head.size}. Take a checkpoint that is not larger: ` +
        'follow “After a restore” in docs/runbooks/transparency-log.md.',
    )
  if (!(await continues(db, head, checkpoint)))
    throw new CommandError(
      'The checkpoint is of another tree than the database has: the log was forked. Publish nothing.',
    )
  return checkpoint
}

/** Whether it is what readers see already. A newer checkpoint must not be replaced by an older one. */
async function checkPublished(store: PageStore, { size, note }: { size: number; note: string }, key: NoteKey) {
  // A damaged file may not even be unpacked.
  const there = (await store.read('checkpoint').catch(() => undefined))?.toString()
  const published = there === undefined ? undefined : readCheckpoint(there, key)
  if (published && published.size > size)
    throw new CommandError(`A valid checkpoint with ${published.size} entries is published. It must stay.`)
  return there === note
}
