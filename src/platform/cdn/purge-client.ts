import { type PostOptions, postJson } from '../outbound-http/configured-service.ts'
import { type Settings, SettingsError } from '../settings/settings.ts'

export const cdnSettingNames = ['CDN_PROVIDER', 'CDN_SERVICE_ID', 'CDN_TOKEN', 'CDN_API_URL'] as const

/** A CDN that forgets pages by their surrogate keys. */
export type PurgeClient = {
  /** The maximum number of keys in one request. */
  mostKeys: number
  /** Returns when the CDN has accepted the keys; otherwise throws a `ServiceError`. */
  purge: (keys: readonly string[], signal?: AbortSignal) => Promise<void>
}

type Request = { path: string; body: object; options: Pick<PostOptions, 'bearer' | 'headers'> }
type Provider = {
  apiUrl: string
  mostKeys: number
  request: (keys: readonly string[], account: { serviceId: string; token: string }) => Request
}

/** docs/cdn.md cites the documentation of both APIs. */
const providers: Record<NonNullable<Settings['CDN_PROVIDER']>, Provider> = {
  fastly: {
    apiUrl: 'https://api.fastly.com',
    mostKeys: 256,
    request: (keys, { serviceId, token }) => ({
      path: `/service/${serviceId}/purge`,
      body: { surrogate_keys: keys },
      options: { headers: { 'fastly-key': token } },
    }),
  },
  cloudflare: {
    apiUrl: 'https://api.cloudflare.com/client/v4',
    mostKeys: 100,
    request: (keys, { serviceId, token }) => ({
      path: `/zones/${serviceId}/purge_cache`,
      body: { tags: keys },
      options: { bearer: token },
    }),
  },
}

const limits = { timeoutMs: 10_000, maxBytes: 64 * 1024 }

/** Null if no CDN is set. */
export function openPurgeClient(settings: Settings<(typeof cdnSettingNames)[number]>): PurgeClient | null {
  const { CDN_PROVIDER: name, CDN_SERVICE_ID: serviceId, CDN_TOKEN: token, CDN_API_URL: apiUrl } = settings
  if (!name) return null
  if (!serviceId || !token)
    throw new SettingsError('CDN_PROVIDER requires CDN_SERVICE_ID and CDN_TOKEN. Set both, or unset CDN_PROVIDER.')
  const provider = providers[name]
  return {
    mostKeys: provider.mostKeys,
    purge: async (keys, signal) => {
      const { path, body, options } = provider.request(keys, { serviceId, token })
      await postJson(`${(apiUrl ?? provider.apiUrl).replace(/\/$/, '')}${path}`, body, {
        ...limits,
        ...options,
        signal,
      })
    },
  }
}
