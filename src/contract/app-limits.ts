const secondsPerDay = 86_400

/**
 * How long the parts of an OAuth sign-in stay valid: what a client asked the owner for, an authorization code, a device's
 * code, an access token, a refresh token (each use starts its period again), and a registered client that is not used.
 */
export const oauthSeconds = {
  request: 3_600,
  code: 60,
  device: 900,
  accessToken: 900,
  refreshToken: 90 * secondsPerDay,
  newClient: secondsPerDay,
  usedClient: 180 * secondsPerDay,
} as const

/** How often a device may ask whether its owner has decided. */
export const devicePollSeconds = 5

/** Registered clients that nobody has connected yet. More cannot register until some have expired. */
export const maxNewClients = 100_000

/** Client metadata documents: the largest, the slowest, how many at a time, and how many are cached for how long. */
export const clientDocuments = {
  maxCached: 10_000,
  maxBytes: 5 * 1024,
  timeoutMs: 3_000,
  // More than one address can request in `timeoutMs`, so that slow documents of one attacker do not block others.
  maxAtATime: 40,
  minCacheSeconds: 300,
  maxCacheSeconds: secondsPerDay,
} as const

/** How long a mailbox that was proven by a code counts for the browser that entered it. */
export const mailboxProofSeconds = 1_800

/** What the gateway allows one address. Hosted apps that renew their tokens share one; registrations are rare. */
export const appRates = {
  apps: { perMinute: 6_000, burst: 1_000 },
  appRegistrations: { perMinute: 6, burst: 20 },
} as const
