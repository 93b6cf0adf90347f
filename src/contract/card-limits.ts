/**
 * Drawing a card takes a twentieth of a second of a core, and strangers choose which are drawn. The gateway keeps cards,
 * and what it has is not counted.
 */
export const cardsOfAddress = { perMinute: 300, burst: 60 } as const
export const cardsTogether = { perSecond: 20, burst: 100 } as const

/**
 * How long the gateway keeps a card before it looks again whether the post is still there, and how long anybody in front of
 * it may keep it: together a minute.
 */
export const cardSeconds = 30

/** What /rate-limits.json says about them. */
export const cardCeilings = {
  'cards-per-address': {
    operations: 'GET /p/{id}.png: pictures that the gateway does not have, or of posts that are not there',
    countedPer: 'address',
    max: cardsOfAddress.perMinute / 60,
    windowSeconds: 1,
    afterwards: `429 platform_busy from the gateway; bursts of ${cardsOfAddress.burst} are allowed`,
  },
  cards: {
    operations: 'GET /p/{id}.png: the same, from all clients to all sites',
    countedPer: 'platform',
    max: cardsTogether.perSecond,
    windowSeconds: 1,
    afterwards: `429 platform_busy from the gateway; bursts of ${cardsTogether.burst} are allowed`,
  },
} as const
