import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { repoDir } from '../../tooling/services/state.ts'

const inboxPort = 4006

/** The address where a machine can read the emails that its mail server accepted. */
export const inboxUrl = `http://127.0.0.1:${inboxPort}/email`

/**
 * A mail server on port 25 of a machine’s loopback address, in place of the one that the operator brings. It is the
 * development inbox, which delivers nothing. It stays while the machine reboots.
 */
export async function openMailServer(namespace: string): Promise<AsyncDisposable> {
  const program = join(repoDir, 'tooling/services/inbox.ts')
  const child = spawn('nsenter', [`--net=/run/netns/${namespace}`, process.execPath, program], {
    env: { ...process.env, SMTP_PORT: '25', INBOX_PORT: String(inboxPort) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended.then(() => Promise.reject(new Error('No mail server.')))])
  return {
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await ended
    },
  }
}
