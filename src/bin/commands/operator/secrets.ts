import { randomBytes } from 'node:crypto'
import { link, mkdir, unlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { systemClock } from '../../../platform/clock.ts'
import { openSealing, SealingError } from '../../../platform/sealing.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { countStale, resealSecrets } from '../../../webhooks/secrets.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { newSecrets } from '../../new-secrets.ts'
import { asOperator } from '../../operator.ts'
import { showProgress } from '../../progress.ts'

const rotateSecretsCommand: Command = {
  usage: 'secrets rotate',
  summary: 'Re-encrypts stored secrets that do not use the first key of SECRETS_KEYS.',
  details:
    'Can run while the service is up, and can be repeated or stopped at any time. Prints how many were re-encrypted and ' +
    'how many are left. Remove an old key only when 0 are left. See docs/runbooks/secrets.md.',
  run: ({ environment }) =>
    asOperator(environment, async (db) => {
      const sealing = openSealing(readSettings(environment, ['SECRETS_KEYS']).SECRETS_KEYS)
      const stale = await countStale(db, sealing)
      const show = showProgress('re-encrypted')
      const resealed = await resealSecrets(db, sealing, (done) => show(done, Math.max(stale, done))).catch(explain)
      printJson({ key: sealing.currentKeyId, resealed, left: await countStale(db, sealing) })
    }),
}

function explain(error: unknown): never {
  if (!(error instanceof SealingError)) throw error
  throw new CommandError(
    `${error.message}. Add that key to SECRETS_KEYS and run the command again. It continues with the remaining secrets.`,
  )
}

const createSecretsCommand: Command = {
  usage: 'secrets create <directory>',
  summary: 'Writes the secrets of a new installation, one file for each setting.',
  details:
    'Writes the database URLs of all roles with new passwords, SECRETS_KEYS, POST_SIGNING_KEYS, LOG_SIGNING_KEY, GATEWAY_SECRET and DESK_SECRET. Only the ' +
    'current user can read the files. Keeps files that exist, so it is safe to repeat. Use each file with NAME_FILE. ' +
    'Secrets of other services, such as SMTP_URL, are yours to write.',
  options: {
    'database-host': { type: 'string', description: 'Host of PostgreSQL; 127.0.0.1 by default.' },
    'database-port': { type: 'string', description: 'Port of PostgreSQL; 5432 by default.' },
    'database-name': { type: 'string', description: 'Name of the database; broadside by default.' },
  },
  run: async ({ values, flags }) => {
    const directory = resolve(String(values['directory']))
    const place = {
      host: String(flags['database-host'] ?? '127.0.0.1'),
      port: String(flags['database-port'] ?? '5432'),
      name: String(flags['database-name'] ?? 'broadside'),
    }
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const [created, kept]: [string[], string[]] = [[], []]
    for (const [name, value] of newSecrets(place, systemClock.now(), randomBytes))
      ((await writeOnce(join(directory, name), `${value}\n`)) ? created : kept).push(name)
    printJson({ created, kept })
  },
}

/** False if the file exists. It never holds half a secret: it gets its name when it is complete. */
async function writeOnce(file: string, text: string): Promise<boolean> {
  const draft = `${file}.draft`
  await writeFile(draft, text, { mode: 0o600, flush: true })
  try {
    await link(draft, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  } finally {
    await unlink(draft)
  }
}

export const commands: readonly Command[] = [createSecretsCommand, rotateSecretsCommand]
