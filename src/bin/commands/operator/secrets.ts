import { openSealing, SealingError } from '../../../platform/sealing.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { countStale, resealSecrets } from '../../../webhooks/secrets.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
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

export const commands: readonly Command[] = [rotateSecretsCommand]
