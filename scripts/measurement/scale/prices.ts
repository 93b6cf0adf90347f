/** List prices in dollars, without free tiers and discounts. `checked` says how each was looked up on the date. */
export const prices = {
  date: '2026-11-18',
  objectStores: [
    {
      name: 'Amazon S3 Standard, us-east-1',
      source: 'https://aws.amazon.com/s3/pricing/',
      checked: 'from pages that quote the price list; the list itself was not read',
      perGbMonth: 0.023,
      perMillionWrites: 5,
      perMillionReads: 0.4,
    },
    {
      name: 'Cloudflare R2 Standard',
      source: 'https://developers.cloudflare.com/r2/pricing/',
      checked: 'in the provider’s documentation',
      perGbMonth: 0.015,
      perMillionWrites: 4.5,
      perMillionReads: 0.36,
    },
  ],
  cdnPerGb: {
    value: 0.085,
    what: 'CDN, for a GB sent',
    checked: 'first tier of Amazon CloudFront, from a page that quotes it',
  },
  corePerMonth: { value: 25, what: 'a core with 4 GB of memory, a month', checked: 'an estimate, not looked up' },
  databaseGbPerMonth: { value: 0.08, what: 'database disk, for a GB and month', checked: 'an estimate, not looked up' },
} as const
