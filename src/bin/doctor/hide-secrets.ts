import { secretSettings } from '../../platform/settings/secret-settings.ts'
import { readGiven } from '../../platform/settings/setting-files.ts'

/** Shorter words are ordinary words too often, and no check prints a value of these settings anyway. */
const shortest = 12

/**
 * A function that replaces every secret of the settings in a text. The checks print no secrets; this is for messages of
 * other programs that they quote.
 */
export function hideSecrets(environment: NodeJS.ProcessEnv): (text: string) => string {
  const secrets = secretSettings
    .flatMap((name) => secretsIn(readGiven(environment, name).value ?? ''))
    .filter((secret) => secret.length >= shortest)
    .sort((one, other) => other.length - one.length)
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[secret]'), text)
}

function secretsIn(value: string): string[] {
  const url = URL.parse(value)
  if (url?.password) return [url.password, decoded(url.password)]
  // A path of a key file, or a URL without a password.
  if (url?.host || value.startsWith('/')) return []
  return value.split(/[\s,]+/).flatMap((word) => [word, word.slice(word.indexOf(':') + 1)])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
