import { readFileSync } from 'node:fs'
import type { Clock } from '../platform/clock.ts'
import { openRequestSigning, type RequestSigning } from '../platform/http-signatures/request-signing.ts'
import { openOutbound } from '../platform/outbound-http/open-outbound.ts'
import type { Settings } from '../platform/settings/settings.ts'

export const outboundSettings = [
  'SECRETS_KEYS',
  'OUTBOUND_REFUSED_RANGES',
  'OUTBOUND_DNS_SERVERS',
  'OUTBOUND_CERTIFICATE_AUTHORITIES',
  'OUTBOUND_TEST_RANGES',
] as const

/** Of the processes that send requests to addresses that users chose. The API only looks their names up. */
export const signingSettings = ['REQUEST_SIGNING_KEYS', 'ACCOUNT_PAGE_URL'] as const

/** Signs outgoing requests; null if no key is configured. */
export function signingFromSettings(
  { REQUEST_SIGNING_KEYS: keys, ACCOUNT_PAGE_URL: accountPageUrl }: Settings<(typeof signingSettings)[number]>,
  clock: Clock,
): RequestSigning | null {
  return keys ? openRequestSigning({ keys, accountPageUrl, clock }) : null
}

/** The HTTP client for addresses that users chose, as configured for this deployment. */
export function outboundFromSettings(
  settings: Settings<(typeof outboundSettings)[number]>,
  signing: RequestSigning | null,
) {
  const { OUTBOUND_REFUSED_RANGES, OUTBOUND_DNS_SERVERS, OUTBOUND_CERTIFICATE_AUTHORITIES, OUTBOUND_TEST_RANGES } =
    settings
  return openOutbound({
    ...(OUTBOUND_REFUSED_RANGES && { refusedRanges: OUTBOUND_REFUSED_RANGES }),
    ...(OUTBOUND_DNS_SERVERS && { dnsServers: OUTBOUND_DNS_SERVERS }),
    ...(OUTBOUND_TEST_RANGES && { testRanges: OUTBOUND_TEST_RANGES }),
    ...(OUTBOUND_CERTIFICATE_AUTHORITIES && {
      certificateAuthorities: readFileSync(OUTBOUND_CERTIFICATE_AUTHORITIES, 'utf8'),
    }),
    ...(signing && { sign: signing.sign }),
  })
}
