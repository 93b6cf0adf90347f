import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Dkim } from '../platform/mail/mailer.ts'
import { type Settings, SettingsError } from '../platform/settings/settings.ts'

export const dkimSettings = ['MAIL_DKIM_DOMAIN', 'MAIL_DKIM_SELECTOR', 'MAIL_DKIM_KEY'] as const

/** The DKIM options; undefined if emails are not signed. Missing settings and unusable keys are reported at startup. */
export function dkimFromSettings(settings: Settings<(typeof dkimSettings)[number]>): Dkim | undefined {
  const { MAIL_DKIM_DOMAIN: domain, MAIL_DKIM_SELECTOR: selector, MAIL_DKIM_KEY: key } = settings
  if (!domain && !selector && !key) return undefined
  if (!domain || !selector || !key) throw new SettingsError(`Set all of ${dkimSettings.join(', ')}, or none.`)
  return { domain, selector, privateKey: readKey(key) }
}

function readKey(given: string): string {
  const key = parse(given)
  // Receivers do not trust shorter keys, and the mailer supports no other kinds.
  if (key?.asymmetricKeyType !== 'rsa' || Number(key.asymmetricKeyDetails?.modulusLength) < 2_048)
    throw new SettingsError(
      'MAIL_DKIM_KEY must be a private RSA key of at least 2,048 bits: PEM text, or the path of a PEM file.',
    )
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

function parse(given: string) {
  try {
    return createPrivateKey(given.startsWith('-----BEGIN') ? given : readFileSync(given))
  } catch {
    return undefined
  }
}
