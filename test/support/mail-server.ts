import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server'

export type Taken = { raw: Buffer; envelope: SMTPServerEnvelope }

/** A mail server that keeps what it is given, byte by byte, with who it was for. */
export async function startMailServer() {
  const taken: Taken[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onData: (stream, session, callback) => {
      stream.toArray().then((chunks) => {
        taken.push({ raw: Buffer.concat(chunks), envelope: structuredClone(session.envelope) })
        callback()
      }, callback)
    },
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    taken,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

/** Every header by its name, in the order of the mail, each on one line. */
export function headersOf({ raw }: Taken): [name: string, value: string][] {
  const [head = ''] = raw.toString('latin1').split('\r\n\r\n')
  return head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
}

/** As a mail program reads it. */
export const readMail = ({ raw }: Taken) => PostalMime.parse(raw)

/** Who it came from and went to, as the servers say it to each other. */
export const routeOf = ({ envelope: { mailFrom, rcptTo } }: Taken) => ({
  from: mailFrom ? mailFrom.address : undefined,
  to: rcptTo.map(({ address }) => address),
})
