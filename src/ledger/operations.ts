import { z } from 'zod'
import { defineOperation } from '../contract/define-operation.ts'
import { micros } from '../contract/fields.ts'
import type { Kind } from '../kinds/index.ts'
import { priceList } from './prices.ts'

const pricing = z
  .strictObject({
    currency: z.literal('USD'),
    unit: z.literal('micro-dollars'),
    kind: z.string().meta({ description: 'The kind of post that this site accepts.' }),
    post_micros: micros.meta({ description: 'Price of one post on this site.' }),
    link_surcharge_micros: micros.meta({ description: 'Price of each http(s) link in the text.' }),
    posts: z.array(z.strictObject({ kind: z.string(), post_micros: micros, link_surcharge_micros: micros })),
    edit_micros: micros,
    abuse_multiplier: z.int().meta({ description: 'An abusive post costs this many times its post price.' }),
    search: z.strictObject({ micros, free_per_day_with_key: z.int(), free_per_day_without_key: z.int() }),
    top_up_micros: z.array(micros),
    free: z.array(z.string()),
  })
  .meta({ component: 'Pricing' })

export const ledgerOperations = (kind: Kind) => {
  const { priceMicros: post_micros, linkSurchargeMicros: link_surcharge_micros } = kind
  const answer = {
    ...priceList,
    currency: 'USD',
    unit: 'micro-dollars',
    kind: kind.name,
    post_micros,
    link_surcharge_micros,
  } as const
  return [
    defineOperation({
      id: 'getPricing',
      method: 'GET',
      path: '/v1/pricing',
      access: 'anyone',
      whenBanned: 'allowed',
      successStatus: 200,
      tag: 'Service',
      summary: 'Read the prices',
      description: 'Lists all prices in micro-dollars and everything that is free. The same list is at /plans.json.',
      output: pricing,
      problems: [],
      examples: { output: answer },
      handle: () => answer,
    }),
  ]
}
