import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { checkServerIdentity } from 'node:tls'
import {
  type CheckFinding,
  type Context,
  codeOf,
  joinAddresses,
  problem,
  type RunCheck,
  unchecked,
  warning,
} from '../check.ts'
import { readServedCertificate, type Served } from '../probe.ts'

/** Let’s Encrypt’s clients renew 30 days before the end. */
const days = { warning: 21, problem: 7 }

export const checkCertificate: RunCheck = async (context) => {
  const { SITES, ACCOUNT_PAGE_URL, DESK_URL } = context.read(['SITES', 'ACCOUNT_PAGE_URL', 'DESK_URL'])
  const origins = [...Object.values(SITES), ACCOUNT_PAGE_URL, DESK_URL].filter((url) => url.startsWith('https:'))
  if (origins.length === 0) return { summary: 'No origin uses https.', findings: [] }
  const findings = await Promise.all(origins.map((origin) => checkOrigin(context, origin)))
  return {
    summary: `${origins.length} origins have a trusted certificate for more than ${days.warning} days.`,
    findings: joinAddresses(findings.flat()),
  }
}

async function checkOrigin(context: Context, origin: string) {
  const found = await readServedCertificate(origin, context).then(
    (served) => examine(context, origin, served),
    (error: unknown) => [
      unchecked(`no certificate could be read (${codeOf(error)}).`, context.broadside('doctor --only gateway')),
    ],
  )
  return found.map((finding) => ({ ...finding, address: origin }))
}

function examine(context: Context, origin: string, { certificate, fault }: Served): CheckFinding[] {
  const renew = `Renew it, for example: certbot renew; then: ${context.unit('reload', 'broadside-gateway')}`
  const host = new URL(origin).hostname.replace(/^\[(.*)\]$/, '$1')
  const left = (new Date(certificate.valid_to).getTime() - context.clock.now().getTime()) / 86_400_000
  const until = new Date(certificate.valid_to).toISOString().slice(0, 10)
  const isNamed = checkServerIdentity(host, certificate) === undefined
  return [
    ...(left < 0
      ? [problem(`the certificate expired on ${until}.`, renew)]
      : left < days.problem
        ? [problem(`the certificate expires in ${Math.floor(left)} days, on ${until}.`, renew)]
        : left < days.warning
          ? [warning(`the certificate expires in ${Math.floor(left)} days, on ${until}.`, renew)]
          : []),
    ...(fault && fault !== 'CERT_HAS_EXPIRED' ? [problem(untrusted(fault), chainFix(context, fault))] : []),
    ...(isNamed
      ? []
      : [
          problem(
            `the certificate is not for this name, but for ${certificate.subjectaltname ?? certificate.subject?.CN ?? 'no name'}.`,
            `Get one certificate for the hosts of SITES, ACCOUNT_PAGE_URL and DESK_URL (certbot certonly -d ${host} -d …), and set GATEWAY_CERTIFICATE.`,
          ),
        ]),
    ...checkReload(context, certificate.fingerprint256),
  ]
}

function untrusted(fault: string): string {
  if (fault === 'DEPTH_ZERO_SELF_SIGNED_CERT') return 'the certificate is self-signed, and no client trusts it.'
  if (fault === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE')
    return 'the chain is incomplete: the intermediate certificate is missing.'
  if (fault === 'CERT_NOT_YET_VALID') return 'the certificate is not valid yet, or the clock of this machine is wrong.'
  return `the certificate is not trusted (${fault}).`
}

const chainFix = ({ unit }: Context, fault: string) =>
  fault === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'
    ? `Put the whole chain into GATEWAY_CERTIFICATE (fullchain.pem, not cert.pem), then: ${unit('reload', 'broadside-gateway')}`
    : `Use a certificate of a public authority in GATEWAY_CERTIFICATE, then: ${unit('reload', 'broadside-gateway')}. For an authority of your own, run doctor with NODE_EXTRA_CA_CERTS=<its PEM file>.`

/** A renewed certificate is used only after a reload. */
function checkReload({ read, unit }: Context, served: string): CheckFinding[] {
  try {
    const file = readFileSync(read(['GATEWAY_CERTIFICATE']).GATEWAY_CERTIFICATE)
    if (new X509Certificate(file).fingerprint256 === served) return []
    return [
      warning(
        'the gateway shows another certificate than the one in GATEWAY_CERTIFICATE.',
        unit('reload', 'broadside-gateway'),
      ),
    ]
  } catch {
    // Another machine ends TLS, or this user cannot read it; the check of the gateway says so.
    return []
  }
}
