import { z } from 'zod'
import { type Costs, costsSchema, publishBelow } from './costs.ts'
import file from './thresholds.json' with { type: 'json' }

const share = z.number().min(0).max(1)

/**
 * Where each stage begins to mean something. The file has a version of its own, which every decision records, and names
 * the local model that its numbers were chosen for.
 */
export const thresholdsFile = z.strictObject({
  version: z.string().regex(/^\d{4}-\d{2}-\d{2}\.\d+$/),
  /** The version of the local model's weights. */
  model: z.string(),
  rules: z.strictObject({
    /** From here on a person looks. */
    hint: share,
    /** From here on low quality is refused. */
    certain: share,
  }),
  local: z.strictObject({
    /** From here on no judge's word publishes the post. */
    suspect: share,
    /** The same of the probability of one category. */
    suspect_category: share,
    /** From here on the model counts as the second stage that names the judge's category. */
    agree: share,
    /** From here on a text that speaks of minors is sexual enough to be a person's case. */
    minors: share,
  }),
  costs: costsSchema,
  judge: z.strictObject({
    /** A judge that is less sure of what it says has said nothing but a doubt. */
    least_sure: share,
  }),
  /** How many of such posts go to the audit queue. */
  sample: z.strictObject({ accepted_in_doubt: share, trusted: share }),
})

export type ThresholdsFile = z.output<typeof thresholdsFile>

export type Thresholds = Omit<ThresholdsFile, 'local'> & {
  local: ThresholdsFile['local'] & {
    /** Below this, of the probability that any rule is broken, a post is published without a judge. It follows from the costs. */
    publish: number
    /** The same for a trusted author's post. What lies between the two is audited by sample. */
    publish_trusted: number
  }
}

/** The thresholds of a file, with those that follow from its costs. */
export function withCosts(read: ThresholdsFile, costs: Costs = read.costs): Thresholds {
  const publish = publishBelow(costs, 'new')
  return { ...read, costs, local: { ...read.local, publish, publish_trusted: publishBelow(costs, 'trusted') } }
}

export const thresholds: Thresholds = withCosts(thresholdsFile.parse(file))
