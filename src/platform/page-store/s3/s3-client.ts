import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import { OriginError, type OriginResponse, openConfiguredOrigin } from '../../outbound-http/configured-origin.ts'

/** An S3 bucket and how to reach it. */
export type S3Bucket = {
  endpoint: string
  bucket: string
  region: string
  accessKey: string
  secretKey: string
}

export type S3Client = ReturnType<typeof openS3Client>
export type S3Method = 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
type Request = {
  method: S3Method
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer | string
  /** Whether to leave out the signature, as readers do. */
  isAnonymous?: boolean
}

/** The object store refused a request or failed. */
export class ObjectStoreError extends Error {}

const usual = { connections: 32, timeoutMs: 10_000, maxBytes: 64 * 2 ** 20 }
/** Repetitions of a request that does nothing twice, with the pause before each. */
const pausesMs = [100, 300, 900, 2_700]

/** The requests of the S3 API that the page store needs, in one bucket, addressed by path. */
export function openS3Client(bucket: S3Bucket, options: Partial<typeof usual> = {}) {
  const origin = openConfiguredOrigin(new URL(bucket.endpoint).origin, { ...usual, ...options })
  // The signer keeps a key for each day here.
  const cache = new Map<string, ArrayBuffer>()
  const counts: Partial<Record<S3Method, number>> = {}

  /** Sends a request once. Throws an `OriginError` if there is no response. */
  async function send({ method, key, query = {}, headers = {}, body, isAnonymous }: Request): Promise<OriginResponse> {
    counts[method] = (counts[method] ?? 0) + 1
    const url = new URL(bucket.endpoint)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${bucket.bucket}${key === undefined ? '' : `/${key}`}`
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    // Bodies are not signed, so the server compares their hash.
    const md5 = body === undefined || body.length === 0 ? {} : { 'content-md5': hash('md5', body, 'base64') }
    const given = { ...headers, ...md5 }
    const { region, accessKey: accessKeyId, secretKey: secretAccessKey } = bucket
    if (cache.size > 10) cache.clear()
    const signed = isAnonymous
      ? { url, headers: new Headers(given) }
      : await new AwsV4Signer({
          ...{ method, url: url.href, headers: given, service: 's3', region, accessKeyId, secretAccessKey, cache },
        }).sign()
    const path = signed.url.pathname + signed.url.search
    return origin.request({ method, path, headers: Object.fromEntries(signed.headers), body })
  }

  /** Repeats a request that does nothing twice while the server fails. Other statuses than the expected ones are errors. */
  async function repeat(request: Request, expected: readonly number[]): Promise<OriginResponse> {
    for (let attempt = 0; ; attempt++) {
      const response = await send(request).catch((error) => {
        if (error instanceof OriginError && attempt < pausesMs.length) return undefined
        throw error
      })
      if (response && expected.includes(response.status)) return response
      if (response && !isPassing(response.status)) throw refused(request, response)
      const pauseMs = pausesMs[attempt]
      if (pauseMs === undefined) throw refused(request, response as OriginResponse)
      await sleep(pauseMs * (0.5 + Math.random()))
    }
  }

  return {
    /** The requests sent so far, by method. */
    counts,
    send,
    /** The object, or undefined if there is none. */
    get: async (key: string) => existing(await repeat({ method: 'GET', key }, [200, 404])),
    head: async (key: string) => existing(await repeat({ method: 'HEAD', key }, [200, 404])),
    /** Writes an object, whatever is there. */
    put: async (key: string, body: string, headers: Record<string, string>) =>
      void (await repeat({ method: 'PUT', key, body, headers }, [200])),
    delete: async (key: string) => void (await repeat({ method: 'DELETE', key }, [200, 204, 404])),
    /** One page of keys, or of the folders if there is a delimiter. */
    list: async (prefix: string, more: { delimiter?: string; after?: string } = {}) => {
      const query = {
        ...{ 'list-type': '2', prefix },
        ...(more.delimiter && { delimiter: more.delimiter }),
        ...(more.after && { 'start-after': more.after }),
      }
      const xml = (await repeat({ method: 'GET', query }, [200])).body.toString()
      return {
        keys: valuesOf(xml, /<Contents>.*?<Key>(.*?)<\/Key>/gs),
        folders: valuesOf(xml, /<CommonPrefixes>\s*<Prefix>(.*?)<\/Prefix>/gs),
        isTruncated: /<IsTruncated>true</.test(xml),
      }
    },
    /** Deletes up to 1,000 objects. */
    deleteMany: async (keys: readonly string[]) => {
      const objects = keys.map((key) => `<Object><Key>${escaped(key)}</Key></Object>`).join('')
      const body = `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${objects}</Delete>`
      const query = { delete: '' }
      const { body: answer } = await repeat({ method: 'POST', query, body }, [200])
      if (/<Error>/.test(answer.toString())) throw new ObjectStoreError('the object store did not delete all objects')
    },
    [Symbol.asyncDispose]: () => origin[Symbol.asyncDispose](),
  }
}

/** The server has failed or is busy, so the same request may succeed later. */
export const isPassing = (status: number) => status >= 500 || status === 429 || status === 408

const existing = (response: OriginResponse) => (response.status === 404 ? undefined : response)

export function refused({ method, key = '' }: Request, { status, body }: OriginResponse): ObjectStoreError {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(body.toString('latin1', 0, 2_000))?.[1]
  return new ObjectStoreError(`${method} ${key}: the object store responded with ${status}${code ? ` ${code}` : ''}`)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => String(entities[character]))
const plain = (text: string) =>
  Object.entries(entities).reduceRight((rest, [character, entity]) => rest.replaceAll(entity, character), text)

const valuesOf = (xml: string, pattern: RegExp): string[] =>
  [...xml.matchAll(pattern)].map(([, value]) => plain(String(value)))
