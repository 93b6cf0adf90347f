import { readFileSync } from 'node:fs'
import { openOutbound } from '../platform/outbound-http/open-outbound.ts'
import type { Settings } from '../platform/settings/settings.ts'

export const outboundSettings = [
  'SECRETS_KEYS',
  'OUTBOUND_REFUSED_RANGES',
  'OUTBOUND_DNS_SERVERS',
  'OUTBOUND_CERTIFICATE_AUTHORITIES',
  'OUTBOUND_TEST_RANGES',
] as const

/** The HTTP client for addresses that users chose, as configured for this deployment. */
export function outboundFromSettings(settings: Settings<(typeof outboundSettings)[number]>) {
  const { OUTBOUND_REFUSED_RANGES, OUTBOUND_DNS_SERVERS, OUTBOUND_CERTIFICATE_AUTHORITIES, OUTBOUND_TEST_RANGES } =
    settings
  return openOutbound({
    ...(OUTBOUND_REFUSED_RANGES && { refusedRanges: OUTBOUND_REFUSED_RANGES }),
    ...(OUTBOUND_DNS_SERVERS && { dnsServers: OUTBOUND_DNS_SERVERS }),
    ...(OUTBOUND_TEST_RANGES && { testRanges: OUTBOUND_TEST_RANGES }),
    ...(OUTBOUND_CERTIFICATE_AUTHORITIES && {
      certificateAuthorities: readFileSync(OUTBOUND_CERTIFICATE_AUTHORITIES, 'utf8'),
    }),
  })
}
