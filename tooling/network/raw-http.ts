import { connect } from 'node:net'
import { patienceMs } from '../services/state.ts'

export interface Answer {
  status: number
  headers: Headers
  body: string
}

/** Sends the bytes unchanged and reads one response, skipping interim ones. */
export const exchange = (port: number, ...parts: string[]): Promise<Answer> => exchangeFrom('127.0.0.1', port, ...parts)

/** The same from another address of this machine, such as 127.0.0.2. */
export function exchangeFrom(localAddress: string, port: number, ...parts: string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => {
      for (const part of parts) socket.write(part, 'latin1')
    })
    let received = ''
    const finish = (isWhole: boolean) => {
      const answer = parseAnswer(received, isWhole)
      if (!answer) return
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(patienceMs, () => reject(new Error(`Incomplete response: ${received.slice(0, 200)}`)))
    socket.on('data', (data) => {
      received += data.toString('latin1')
      finish(false)
    })
    socket.on('error', reject)
    socket.on('end', () => finish(true))
    socket.on('close', () => reject(new Error('The connection was closed without a response.')))
  })
}

function parseAnswer(text: string, isWhole: boolean): Answer | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  if (status === 100) return parseAnswer(text.slice(end + 4), isWhole)
  const headers = new Headers(lines.map((line) => line.split(/: (.*)/).slice(0, 2) as [string, string]))
  const body = text.slice(end + 4)
  if (headers.get('transfer-encoding') === 'chunked') {
    const joined = joinChunks(body)
    return joined.isWhole || isWhole ? { status, headers, body: joined.content } : undefined
  }
  const length = headers.get('content-length')
  return isWhole || (length && body.length >= Number(length)) ? { status, headers, body } : undefined
}

function joinChunks(body: string): { content: string; isWhole: boolean } {
  let content = ''
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at)
    const length = line < 0 ? Number.NaN : Number.parseInt(body.slice(at, line), 16)
    if (!(length > 0)) return { content, isWhole: length === 0 }
    content += body.slice(line + 2, line + 2 + length)
    at = line + 2 + length + 2
  }
}

/** A well-formed GET. */
export const get = (port: number, path: string, host = `localhost:${port}`, more = '') =>
  exchange(port, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`)
