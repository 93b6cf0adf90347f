import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { entryOf, keysDocument, newLog, postProof, type TestPost, testPost, testSalt } from './test-posts.ts'

/** A site with signed posts, proofs, keys and a log, on the loopback address. Tests can replace any of its files. */
export async function startTestSite() {
  /** What the site answers with, by path; a number is the status of an error. */
  const files = new Map<string, string | Buffer | number>()
  const requests: string[] = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(String(request.url), 'http://localhost')
    requests.push(pathname)
    answer(response, files.get(pathname) ?? logFile(pathname))
  })
  const logFile = (path: string) => (path.startsWith('/log/') ? log.file(path.slice('/log/'.length)) : undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  let log = newLog(url)
  files.set('/.well-known/broadside-keys.json', JSON.stringify(keysDocument(url)))

  /** Publishes a post, with its entry and its proof. */
  const publish = (number: number, options: Parameters<typeof testPost>[1] = {}): TestPost => {
    const post = testPost(number, { ...options, siteUrl: url })
    const salt = testSalt(number)
    const index = log.append(entryOf(post, salt, 'post', log.origin))
    files.set(`/p/${post.id}.json`, JSON.stringify(post))
    files.set(`/p/${post.id}.tlog-proof`, postProof(log, index, salt))
    return post
  }
  /** The site loses all entries of its log. */
  const forgetLog = () => {
    log = newLog(url)
  }
  const stop = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { url, origin: log.origin, files, requests, publish, forgetLog, [Symbol.asyncDispose]: stop }
}

function answer(response: ServerResponse, found: string | Buffer | number | undefined) {
  response.setHeader('Access-Control-Allow-Origin', '*')
  const status = typeof found === 'number' ? found : found === undefined ? 404 : 200
  response.writeHead(status).end(typeof found === 'number' ? '' : found)
}
