import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { guideScript } from '../../tooling/guide.ts'
import { flag, readOptions } from '../../tooling/script-options.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { restoreScript } from './installed-restore.ts'
import { upgradeScript } from './installed-upgrade.ts'
import { type Machine, newMachine } from './machine.ts'
import { inboxUrl, openMailServer } from './mail-server.ts'
import { minutes, startTimeline, type Timeline } from './timeline.ts'

const domain = 'broadside.test'
const hosts = ['messages', 'stories', 'classifieds', 'events', 'account', 'desk'].map((name) => `${name}.${domain}`)

/** What the operator brings: host names, a certificate that clients trust, a mail server, and the address of a release. */
const choices = {
  DOMAIN: domain,
  CERTIFICATE: '/srv/tls/certificate.pem',
  CERTIFICATE_KEY: '/srv/tls/key.pem',
  SMTP_URL: 'smtp://127.0.0.1:25',
  MAIL_FROM: `Broadside <hello@${domain}>`,
  CONTACT_EMAIL: `hello@${domain}`,
  RELEASE_URL: 'file:///srv/broadside.tar.gz',
}

/**
 * Follows docs/install.md on an empty Debian 12, from the first command to the first post, and reboots the machine. With
 * `--restore`, it then follows docs/runbooks/backup.md, and with `--upgrade` docs/runbooks/upgrade.md. With `--keep`, a machine on which a step failed stays until
 * Ctrl-C.
 *
 * The machine is a container. It cannot show what needs the kernel or its own devices: IPAddressDeny of the model (BPF),
 * MemoryMax (no memory controller), and a time server (the clock is that of the host).
 */
export async function run(args: readonly string[]): Promise<void> {
  const options = { restore: flag, upgrade: flag, keep: flag }
  const { restore: isRestored, upgrade: isUpgraded, keep } = readOptions(args, options)
  const timeline = startTimeline()
  timeline.say('▶ An empty Debian 12')
  await using machine = await newMachine('drill')
  await using _mail = await openMailServer(machine.namespace)
  try {
    await follow(machine, timeline)
    if (isRestored) await restore(machine, timeline)
    if (isUpgraded) await upgrade(machine, timeline)
    console.log(`\n${timeline.summary()}`)
  } catch (error) {
    await machine.shell(diagnosis, console.error).catch(() => undefined)
    if (!keep) throw error
    console.error(`${(error as Error).message} The machine is running: ${machine.enterCommand()}. Ctrl-C removes it.`)
    await once(process, 'SIGINT')
    throw error
  }
}

const diagnosis = `systemctl list-units --all --no-pager --plain 'broadside*'
journalctl -u 'broadside*' -n 60 --no-pager -o short-iso`

async function follow(machine: Machine, { say }: Timeline): Promise<void> {
  prepare(machine.root)
  await machine.boot()
  await expectSuccess(machine.shell('update-ca-certificates >/dev/null', say), 'preparing the machine')
  const installStart = performance.now()
  let post = ''
  const watch = (line: string) => {
    post = /^first post: (post_\w+)$/.exec(line)?.[1] ?? post
    say(line)
  }
  const script = `${guideScript('docs/install.md', choices)}echo "first post: $POST_ID"\n`
  await expectSuccess(machine.shell(script, watch), 'docs/install.md')
  const installed = minutes(installStart, performance.now())

  say('▶ Reboot')
  await machine.stop()
  const rebootStart = performance.now()
  await machine.boot()
  await expectSuccess(machine.shell(checkAfterReboot(post), say), 'the check after the reboot')
  const rebooted = ((performance.now() - rebootStart) / 1_000).toFixed(0)

  say('▶ kill -9 of every process')
  await expectSuccess(machine.shell(checkAfterKill, say), 'the check after kill -9')
  say('▶ A renewed certificate')
  await expectSuccess(machine.shell(renewCertificate, say), 'the renewed certificate')
  say('▶ First email')
  await expectSuccess(machine.shell(checkEmail, say), 'the first email')
  say('▶ broadside doctor')
  const warnings = await runDoctor(machine)
  say(`\nFrom the first command of docs/install.md to its last: ${installed}.`)
  say(`From the beginning of the boot until everything was up again: ${rebooted} s.`)
  say(`doctor has no problems. Warnings: ${warnings.join(', ') || 'none'}.`)
}

async function restore(machine: Machine, { say }: Timeline): Promise<void> {
  say('▶ docs/runbooks/backup.md')
  const script = restoreScript(domain, choices.CONTACT_EMAIL)
  await expectSuccess(machine.shell(script, say), 'docs/runbooks/backup.md')
}

async function upgrade(machine: Machine, { say }: Timeline): Promise<void> {
  say('▶ docs/runbooks/upgrade.md')
  const script = upgradeScript(`https://messages.${domain}`, choices.RELEASE_URL)
  await expectSuccess(machine.shell(script, say), 'docs/runbooks/upgrade.md')
  await runDoctor(machine)
}

function prepare(root: string): void {
  appendFileSync(join(root, 'etc/hosts'), `127.0.0.1 localhost\n${hosts.map((host) => `127.0.0.1 ${host}\n`).join('')}`)
  const archive = [
    'archive',
    '--format=tar.gz',
    '--prefix=broadside/',
    '-o',
    join(root, 'srv/broadside.tar.gz'),
    'HEAD',
  ]
  execFileSync('git', archive, { cwd: repoDir })
  makeCertificate(join(root, 'srv/tls'), join(root, 'usr/local/share/ca-certificates/drill.crt'))
}

/** A certificate authority that only the machine trusts, in place of a public one. */
function makeCertificate(folder: string, authority: string): void {
  mkdirSync(folder, { mode: 0o700 })
  mkdirSync(join(authority, '..'), { recursive: true })
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...newKey, '-days', '90', '-subj', '/CN=Drill CA', '-keyout', 'ca.key', '-out', authority)
  openssl('req', ...newKey, '-subj', `/CN=${domain}`, '-keyout', 'key.pem', '-out', 'request.pem')
  writeFileSync(join(folder, 'names'), `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}\n`)
  const signing = ['-CA', authority, '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '90']
  openssl('x509', '-req', '-in', 'request.pem', ...signing, '-out', 'certificate.pem')
}

/** Nothing is started by hand: this only waits. */
const untilUp = `set -euo pipefail
for port in 4201 4202 4210 4220 4221; do
  until curl -fsS "http://127.0.0.1:$port/readyz" 2>/dev/null; do sleep 1; done; echo " $port"
done
until curl -fsS http://127.0.0.1:4301/healthz >/dev/null 2>&1; do sleep 1; done
until curl -fsS https://messages.${domain}/v1/status 2>/dev/null; do sleep 1; done; echo
`

const checkAfterReboot = (post: string) => `${untilUp}
for host in ${hosts.join(' ')}; do echo "$host $(curl -sS -o /dev/null -w '%{http_code}' https://$host/)"; done
curl -fsS https://messages.${domain}/p/${post} | grep -o 'The ferry to Hiiumaa leaves at nine.' | head -n 1
systemctl list-units --no-legend --plain 'broadside*' | awk '{print $1, $3, $4}'
systemctl --failed --no-legend --plain | awk '{print "failed:", $1}'
! systemctl --quiet is-failed 'broadside*'
`

/** Also shows that the gateway starts although a killed one leaves its sockets behind. */
const checkAfterKill = `systemctl kill --signal=KILL 'broadside-*'
sleep 1
${untilUp}
`

/** What certbot does: it writes the new certificate and runs its deploy hook. */
const renewCertificate = `set -euo pipefail
cd /srv/tls
openssl x509 -req -in request.pem -CA /usr/local/share/ca-certificates/drill.crt -CAkey ca.key -extfile names -days 60 -out certificate.pem
systemctl reload broadside-gateway
serial=$(openssl x509 -in certificate.pem -noout -serial)
until openssl s_client -connect messages.${domain}:443 </dev/null 2>/dev/null | openssl x509 -noout -serial | grep -q "$serial"; do sleep 1; done
echo "$serial"
`

/** A worker sends the email, and the operator finds the link in it. */
const checkEmail = `set -euo pipefail
broadside staff invite ${choices.CONTACT_EMAIL} --name Operator --role admin
until curl -fsS ${inboxUrl} | grep -o 'https://desk.${domain}/[a-z-]*'; do sleep 1; done
`

type Report = { checks: { check: string; status: string; findings: { cause: string }[] }[] }

/**
 * What doctor rightly says about this machine. The operator sets up backups and the domain’s DNS records after the first
 * post, and the container has the clock of its host.
 */
const expectedWarnings = ['backup', 'email', 'clock']

/** Returns the names of the checks with a warning, and fails if there is anything else. */
async function runDoctor(machine: Machine): Promise<string[]> {
  const lines: string[] = []
  await machine.shell('broadside doctor --json', (line) => lines.push(line))
  const { checks } = JSON.parse(lines.find((line) => line.startsWith('{')) ?? '{"checks":[]}') as Report
  const found = checks.filter(({ status }) => status !== 'ok')
  const wrong = found.filter(({ check, status }) => status !== 'warning' || !expectedWarnings.includes(check))
  if (checks.length === 0 || wrong.length > 0)
    throw new Error(`doctor says: ${wrong.length > 0 ? JSON.stringify(wrong) : lines.join('\n')}`)
  return found.map(({ check }) => check)
}

async function expectSuccess(code: Promise<number>, what: string): Promise<void> {
  const ended = await code
  if (ended !== 0) throw new Error(`${what} failed with exit code ${ended}.`)
}
