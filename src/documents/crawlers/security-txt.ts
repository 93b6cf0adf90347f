import type { DocumentedSite } from '../deployment.ts'

/** RFC 9116 recommends an expiry less than a year ahead. */
const validDays = 300

export function securityTxt({ baseUrl, deployment }: DocumentedSite): string {
  const expires = new Date(deployment.writtenAt.getTime() + validDays * 86_400_000)
  return [
    `Contact: ${deployment.securityContact}`,
    `Expires: ${expires.toISOString().replace(/\.\d{3}Z$/, 'Z')}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}
