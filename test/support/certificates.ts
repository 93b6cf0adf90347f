import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An authority of its own, and a certificate from it for these names and addresses. */
export function makeCertificates(hosts: readonly string[]): { ca: string; key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-certificates-'))
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  try {
    const names = hosts.map((host) => `${isIP(host) ? 'IP' : 'DNS'}:${host}`)
    writeFileSync(join(folder, 'names'), `subjectAltName=${names.join(',')}\nbasicConstraints=CA:FALSE\n`)
    openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=An authority for a test')
    openssl('req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=A receiver of a test')
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2', '-extfile', 'names']
    openssl('x509', '-req', '-in', 'request.pem', ...signed, '-out', 'cert.pem')
    const read = (name: string) => readFileSync(join(folder, name), 'utf8')
    return { ca: read('ca.pem'), key: read('key.pem'), cert: read('cert.pem') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
