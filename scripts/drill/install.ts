import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoDir } from '../../tooling/services/state.ts'
import { guideScript } from './guide.ts'
import { type Machine, newMachine } from './machine.ts'

const domain = 'broadside.test'
const hosts = ['messages', 'stories', 'classifieds', 'events', 'account', 'desk'].map((name) => `${name}.${domain}`)

/** What the operator brings: host names, a certificate that clients trust, and the address of a release. */
const choices = {
  DOMAIN: domain,
  CERTIFICATE: '/srv/tls/certificate.pem',
  CERTIFICATE_KEY: '/srv/tls/key.pem',
  SMTP_URL: 'smtp://127.0.0.1:25',
  MAIL_FROM: `Broadside <hello@${domain}>`,
  CONTACT_EMAIL: `hello@${domain}`,
  RELEASE_URL: 'file:///srv/broadside.tar.gz',
}

/** Follows docs/install.md on an empty Debian 12, from the first command to the first post, and reboots the machine. */
export async function run(args: readonly string[]): Promise<void> {
  const startedAt = performance.now()
  const minutes = () => `${((performance.now() - startedAt) / 60_000).toFixed(1)} min`
  const say = (line: string) => console.log(line.startsWith('▶') ? `[${minutes()}] ${line}` : line)
  say('▶ An empty Debian 12')
  await using machine = await newMachine('drill')
  await follow(machine, say).catch(async (error) => {
    if (!args.includes('--keep')) throw error
    console.error(`${error.message} The machine is running: ${machine.enterCommand()}. Ctrl-C removes it.`)
    await once(process, 'SIGINT')
    throw error
  })
}

async function follow(machine: Machine, say: (line: string) => void): Promise<void> {
  prepare(machine.root)
  await machine.boot()
  await expectSuccess(machine.shell('update-ca-certificates >/dev/null', say), 'preparing the machine')
  const installStart = performance.now()
  let post = ''
  const watch = (line: string) => {
    post = /^first post: (post_\w+)$/.exec(line)?.[1] ?? post
    say(line)
  }
  await expectSuccess(machine.shell(guideScript(choices), watch), 'docs/install.md')
  say(
    `▶ Installed: first post over TLS ${((performance.now() - installStart) / 60_000).toFixed(1)} minutes after apt-get`,
  )

  say('▶ Reboot')
  await machine.stop()
  const rebootStart = performance.now()
  await machine.boot()
  await expectSuccess(machine.shell(checkAfterReboot(post), say), 'the check after the reboot')
  say(`▶ Everything is up again ${((performance.now() - rebootStart) / 1_000).toFixed(0)} seconds after the boot began`)
}

function prepare(root: string): void {
  appendFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost\n${hosts.map((host) => `127.0.0.1 ${host}\n`).join('')}`)
  execFileSync(
    'git',
    ['archive', '--format=tar.gz', '--prefix=broadside/', '-o', join(root, 'srv/broadside.tar.gz'), 'HEAD'],
    {
      cwd: repoDir,
    },
  )
  makeCertificate(join(root, 'srv/tls'), join(root, 'usr/local/share/ca-certificates/drill.crt'))
}

/** A certificate authority that only the machine trusts, in place of a public one. */
function makeCertificate(folder: string, authority: string): void {
  mkdirSync(folder, { mode: 0o700 })
  mkdirSync(join(authority, '..'), { recursive: true })
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...newKey, '-days', '2', '-subj', '/CN=Drill CA', '-keyout', 'ca.key', '-out', authority)
  openssl('req', ...newKey, '-subj', `/CN=${domain}`, '-keyout', 'key.pem', '-out', 'request.pem')
  writeFileSync(join(folder, 'names'), `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}\n`)
  const signing = ['-CA', authority, '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2']
  openssl('x509', '-req', '-in', 'request.pem', ...signing, '-out', 'certificate.pem')
}

/** Nothing is started by hand: the checks only wait. */
const checkAfterReboot = (post: string) => `set -euo pipefail
for port in 4201 4202 4210 4220 4221; do
  until curl -fsS "http://127.0.0.1:$port/readyz" 2>/dev/null; do sleep 1; done; echo " $port"
done
until curl -fsS http://127.0.0.1:4301/healthz >/dev/null 2>&1; do sleep 1; done
until curl -fsS https://messages.${domain}/v1/status 2>/dev/null; do sleep 1; done; echo
for host in ${hosts.join(' ')}; do echo "$host $(curl -sS -o /dev/null -w '%{http_code}' https://$host/)"; done
curl -fsS https://messages.${domain}/p/${post} | grep -o 'The ferry to Hiiumaa leaves at nine.' | head -n 1
systemctl list-units --no-legend --plain 'broadside*' | awk '{print $1, $3, $4}'
systemctl --failed --no-legend --plain | awk '{print "failed:", $1}'
`

async function expectSuccess(code: Promise<number>, what: string): Promise<void> {
  const ended = await code
  if (ended !== 0) throw new Error(`${what} failed with exit code ${ended}.`)
}
