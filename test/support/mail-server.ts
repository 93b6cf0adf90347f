import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerEnvelope } from 'smtp-server'

export type Taken = { raw: Buffer; envelope: SMTPServerEnvelope }

/** A mail server that keeps each message byte by byte, with its recipients. */
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

/** Every header by name, in the order of the email, each on one line. */
export function headersOf({ raw }: Taken): [name: string, value: string][] {
  const [head = ''] = raw.toString('latin1').split('\r\n\r\n')
  return head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
}

/** As an email client parses it. */
export const readMail = ({ raw }: Taken) => PostalMime.parse(raw)

/** The SMTP envelope: sender and recipients. */
export const routeOf = ({ envelope: { mailFrom, rcptTo } }: Taken) => ({
  from: mailFrom ? mailFrom.address : undefined,
  to: rcptTo.map(({ address }) => address),
})
