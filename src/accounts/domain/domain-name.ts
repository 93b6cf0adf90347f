import { z } from 'zod'

const written = /^[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
/** A last label that begins with a digit would make it an address. */
const ascii = new RegExp(`^(?=.{3,253}$)(?:${label}\\.)+(?=[a-z])${label}$`)

/** The ASCII form of a domain name; null if the text is anything else, such as a URL, an address or a name with a port. */
export function asciiDomain(text: string): string | null {
  // The parser alone would read a path, a port and numbers such as 0x7f.1.
  if (!written.test(text) || !URL.canParse(`https://${text}`)) return null
  const { hostname } = new URL(`https://${text}`)
  return ascii.test(hostname) ? hostname : null
}

/** A domain name as callers write it. Names that look alike differ in their ASCII form, which is what everybody sees. */
export const domainName = z
  .string()
  .max(253)
  .transform((text, context) => {
    const name = asciiDomain(text)
    if (name !== null) return name
    context.issues.push({
      code: 'custom',
      message: 'must be a domain name such as example.com, without https://, a port, a path or a final dot',
      input: text,
    })
    return z.NEVER
  })
