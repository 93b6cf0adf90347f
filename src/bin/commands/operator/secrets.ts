import { openSealing, SealingError } from '../../../platform/sealing.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { countStale, resealSecrets } from '../../../webhooks/secrets.ts'
import { type Command, CommandError, printJson } from '../../command.ts'
import { asOperator } from '../../operator.ts'
import { showProgress } from '../../progress.ts'

const rotateSecretsCommand: Command = {
  usage: 'secrets rotate',
  summary: 'Encrypts every stored secret anew that is not under the first key of SECRETS_KEYS.',
  details:
    'Runs while the service does, and may be repeated or broken off at any time. Prints how many were encrypted anew and ' +
    'how many are left: only at 0 may an old key go. See docs/runbooks/secrets.md.',
  run: ({ environment }) =>
    asOperator(environment, async (db) => {
      const sealing = openSealing(readSettings(environment, ['SECRETS_KEYS']).SECRETS_KEYS)
      const stale = await countStale(db, sealing)
      const show = showProgress('encrypted anew')
      const resealed = await resealSecrets(db, sealing, (done) => show(done, Math.max(stale, done))).catch(explain)
      printJson({ key: sealing.currentKeyId, resealed, left: await countStale(db, sealing) })
    }),
}

function explain(error: unknown): never {
  if (!(error instanceof SealingError)) throw error
  throw new CommandError(`${error.message}: add that key to SECRETS_KEYS and run this again. What was done stays done.`)
}

export const commands: readonly Command[] = [rotateSecretsCommand]
