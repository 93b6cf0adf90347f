import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Dkim } from '../platform/mail/mailer.ts'
import { type Settings, SettingsError } from '../platform/settings/settings.ts'

export const dkimSettings = ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY'] as const

/** How mail is signed, if it is. A setting that is left out, or a key that cannot sign, is found at the start. */
export function dkimFromSettings(settings: Settings<(typeof dkimSettings)[number]>): Dkim | undefined {
  const { MAIL_DKIM_DOMAIN: domain, MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY: file } = settings
  if (!domain && !selector && !file) return undefined
  if (!domain || !selector || !file) throw new SettingsError(`Set all of ${dkimSettings.join(', ')}, or none.`)
  return { domain, selector, privateKey: readKey(file) }
}

function readKey(file: string): string {
  const key = parse(file)
  // Shorter ones are not believed by receivers; of other kinds the mailer knows none.
  if (key?.asymmetricKeyType !== 'rsa' || Number(key.asymmetricKeyDetails?.modulusLength) < 2_048)
    throw new SettingsError('MAIL_DKIM_KEY must be a file with a private RSA key of 2,048 bits or more, as PEM.')
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function parse(file: string) {
  try {
    return createPrivateKey(readFileSync(file))
  } catch {
    return undefined
  }
}
