import { OriginError } from '../../outbound-http/configured-origin.ts'
import { isPassing, refused, type S3Client } from './s3-client.ts'

/** What is known of an object. */
export type StoredObject = {
  /** Without quotes. */
  etag: string
  /** The number of the writer, or 0. */
  fence: number
  /** The hash of the content before compression. */
  digest: string
  isEmpty: boolean
  /** Whether the ETag depends on the fence. If not, the same content has the same ETag after a newer write. */
  isTellingEtag: boolean
}

type Write = {
  body: Buffer | string
  headers: Record<string, string>
  /** The version to replace; undefined if there must be no object yet. */
  replaces: string | undefined
}

/**
 * `refused`: another version is there. `unknown`: the store failed or did not respond, so the object may have been
 * written. After both, look at the object again.
 */
export type WriteOutcome = { etag: string } | 'refused' | 'unknown'

export type ConditionalWrites = ReturnType<typeof openConditionalWrites>

/**
 * Writes that succeed only if the object is still the expected version. Servers differ in two points. AWS wants the
 * quotes of an ETag in If-Match, and radosgw refuses them: the first write finds out. And a lost race is 409, 412, 404 or
 * 500: all of them mean to look again.
 */
export function openConditionalWrites(client: S3Client) {
  let hasQuotes = true
  let isSure = false

  const look = async (key: string): Promise<StoredObject | undefined> => {
    const found = await client.head(key)
    return (
      found && {
        etag: withoutQuotes(found.headers['etag']),
        fence: Number(found.headers['x-amz-meta-fence'] ?? 0),
        digest: found.headers['x-amz-meta-digest'] ?? '',
        isEmpty: found.headers['content-length'] === '0',
        isTellingEtag: found.headers['content-encoding'] === 'gzip',
      }
    )
  }

  async function writeOnce(key: string, { body, headers, replaces }: Write): Promise<WriteOutcome> {
    const condition: Record<string, string> =
      replaces === undefined ? { 'if-none-match': '*' } : { 'if-match': hasQuotes ? `"${replaces}"` : replaces }
    const request = { method: 'PUT', key, body, headers: { ...headers, ...condition } } as const
    const response = await client.send(request).catch((error) => {
      if (error instanceof OriginError) return undefined
      throw error
    })
    if (response === undefined || isPassing(response.status)) return 'unknown'
    if ([404, 409, 412].includes(response.status)) return 'refused'
    if (response.status !== 200) throw refused(request, response)
    return { etag: withoutQuotes(response.headers['etag']) }
  }

  return {
    look,
    write: async (key: string, write: Write): Promise<WriteOutcome> => {
      const sentQuotes = hasQuotes
      const outcome = await writeOnce(key, write)
      if (isSure || write.replaces === undefined) return outcome
      if (typeof outcome === 'object') isSure = true
      if (outcome !== 'refused' || (await look(key))?.etag !== write.replaces) return outcome
      // The version was right, so the server did not understand it.
      hasQuotes = !sentQuotes
      return writeOnce(key, write)
    },
  }
}

const withoutQuotes = (etag: string | undefined) => (etag ?? '').replace(/^W\//, '').replaceAll('"', '')
