import { startHoldingProxy } from '../../../../tooling/network/holding-proxy.ts'
import { newBucketSettings, startObjectStore } from '../../../../tooling/services/object-store.ts'

/** A bucket of a real S3 server, and what writers send to it. The gateway’s reads are not counted. */
export async function openCountedStore() {
  const counts = { puts: 0, heads: 0, deletes: 0, bytes: 0 }
  const settings = await newBucketSettings(await startObjectStore())
  const proxy = await startHoldingProxy({
    target: settings.PAGES_S3_ENDPOINT,
    treat: ({ method, headers }) => {
      if (method === 'HEAD') counts.heads++
      if (method === 'DELETE') counts.deletes++
      if (method === 'PUT') {
        counts.puts++
        counts.bytes += Number(headers['content-length'] ?? 0)
      }
      return 'forward'
    },
  })
  return {
    settings: { ...settings, PAGES_S3_ENDPOINT: proxy.url },
    /** For each publication, since the last call. */
    takeCounts: (publications: number) => {
      const each = (name: keyof typeof counts) => Math.round((counts[name] / publications) * 10) / 10
      const taken = {
        puts: each('puts'),
        heads: each('heads'),
        deletes: each('deletes'),
        bytes: Math.round(each('bytes')),
      }
      Object.assign(counts, { puts: 0, heads: 0, deletes: 0, bytes: 0 })
      return taken
    },
    [Symbol.asyncDispose]: proxy[Symbol.asyncDispose],
  }
}
