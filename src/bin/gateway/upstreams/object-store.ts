import assert from 'node:assert/strict'
import { lines, quote, render, renderPart } from '../template.ts'
import { renderHosts } from './servers.ts'

/** The bucket that has the pages. All endpoints are servers of the same store, with the certificate of the first. */
export type ObjectStorePages = {
  /** `http://` or `https://`, host and port. */
  endpoints: readonly string[]
  bucket: string
  /** PEM file with the authorities that may sign the store's certificate. */
  authorities: string
}

/** What S3 servers send with an object. A reader gets the gateway's own headers only. */
const hiddenHeaders = [
  'Accept-Ranges',
  'Cache-Control',
  'Content-Disposition',
  'Content-Language',
  'Content-Security-Policy',
  'Expires',
  'Set-Cookie',
  'Strict-Transport-Security',
  'Vary',
  'X-Content-Type-Options',
  'X-Xss-Protection',
  'Access-Control-Allow-Origin',
  'CF-Ray',
  'X-Rgw-Object-Type',
  'X-Minio-Deployment-Id',
  'X-Ratelimit-Limit',
  'X-Ratelimit-Remaining',
  ...[
    'Request-Id',
    'Id-2',
    'Version-Id',
    'Storage-Class',
    'Expiration',
    'Replication-Status',
    'Server-Side-Encryption',
    'Tagging-Count',
    'Meta-Fence',
    'Meta-Digest',
    'Meta-Tree',
    'Checksum-Crc32',
    'Checksum-Crc64nvme',
    'Checksum-Type',
  ].map((name) => `X-Amz-${name}`),
]

/** The upstream and its cache, for the http block. */
export const renderStore = ({ endpoints }: ObjectStorePages) =>
  renderPart('store', { servers: renderHosts(endpoints.map(hostAndPort)) })

/** store.conf, which every location that asks the store includes. */
export function renderStoreRequests({ endpoints, authorities }: ObjectStorePages): string {
  const { protocol, host, hostname } = new URL(String(endpoints[0]))
  const tls = { name: quote(hostname), authorities: quote(authorities) }
  return render('store.conf', {
    host: quote(host),
    tls: protocol === 'https:' ? renderPart('store-tls', tls) : '',
    hidden_headers: lines(hiddenHeaders, (name) => `proxy_hide_header ${name};`),
  })
}

/** The parts of a site's server and of the answers where no file is. */
export function storeParts(pages: ObjectStorePages | undefined): {
  site: { live: string; stored_file: string; log_file: string }
  missing: string
  folder: string
} {
  if (!pages) return { site: { live: '', stored_file: '', log_file: '' }, missing: renderPart('missing'), folder: '' }
  const { protocol } = new URL(String(pages.endpoints[0]))
  assert(
    pages.endpoints.every((endpoint) => endpoint.startsWith(`${protocol}//`)),
    'All endpoints of the object store need the same protocol.',
  )
  const store = `${protocol}//store/${pages.bucket}`
  const mark = ['include store.conf;', `proxy_set_header If-Match '"none"';`, 'proxy_intercept_errors on;'].join('\n')
  return {
    site: {
      live: [ofSite, ofLog].map((names) => renderPart('live-tree', { ...names, store })).join('\n'),
      stored_file: renderPart('stored-file', { ...ofSite, store }),
      log_file: renderPart('stored-file', { ...ofLog, store }),
    },
    missing: renderPart('missing-stored', { store, mark, folder_headers: folderHeaders.join('\n') }),
    // A folder's name has no dot.
    folder: '"~^(?<folder>/(?!p/|by/)(?:[\\w./-]*/)?[\\w-]+)$" missing_folder;',
  }
}

/** The folder in the bucket. For the log it is written out: asking which tree is live resets the variable. */
const ofSite = { live: 'live', site: '$site' }
const ofLog = { live: 'live-log', site: 'log' }

const folderHeaders = [
  'add_header X-Content-Type-Options nosniff;',
  'add_header Access-Control-Allow-Origin *;',
  'add_header Vary Accept-Encoding;',
  'add_header Cache-Control "public, max-age=60, stale-while-revalidate=300";',
]

const hostAndPort = (endpoint: string) => {
  const { hostname, port, protocol } = new URL(endpoint)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}
