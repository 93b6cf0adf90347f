import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { read } from './webhook-receiver.ts'

/** Runs inside the namespace: accepts deliveries on all addresses, and prints what it receives. */
const folder = String(process.argv[2])
const say = (seen: unknown) => process.stdout.write(`${JSON.stringify(seen)}\n`)

const pem = (name: string) => readFileSync(join(folder, name), 'utf8')
const server = createServer({ key: pem('key.pem'), cert: pem('cert.pem') }, async (request, response) => {
  const arrivedAt = request.socket.localAddress
  say({ ...(await read(request)), arrivedAt })
  response.writeHead(204).end()
})
server.on('connection', (socket) => say({ connectedTo: socket.localAddress }))
server.listen(443, '0.0.0.0', () => say('listening'))
