/** The problem too_many_signing_keys names the same number. */
export const maxSigningKeysPerAccount = 10

/** A daily limit. Each key is emailed to the owner, and a key that was removed can be replaced. */
export const signingKeysPerAccount = {
  operations: 'POST /v1/account/signing-keys',
  countedPer: 'account',
  max: 20,
  windowSeconds: 86_400,
  price: null,
  problem: 'rate_limited',
  sendsRetryAfter: true,
  policy: null,
  countedAside: false,
} as const
