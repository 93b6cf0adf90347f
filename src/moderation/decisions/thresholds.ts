import { z } from 'zod'
import { type Costs, costsSchema, publishBelow } from './costs.ts'
import file from './thresholds.json' with { type: 'json' }

const share = z.number().min(0).max(1)

/**
 * The score thresholds for each stage. The file has a version, which every decision records, and names the local model
 * for which its numbers were chosen.
 */
export const thresholdsFile = z.strictObject({
  version: z.string().regex(/^\d{4}-\d{2}-\d{2}\.\d+$/),
  /** The version of the local model's weights. */
  model: z.string(),
  rules: z.strictObject({
    /** At or above this score, a person reviews the post. */
    hint: share,
    /** At or above this score, the post is rejected as low quality. */
    certain: share,
  }),
  local: z.strictObject({
    /** At or above this score, the judge's approval alone does not publish the post. */
    suspect: share,
    /** The same for the probability of a single category. */
    suspect_category: share,
    /** At or above this score, the model counts as a second stage that names the judge's category. */
    agree: share,
    /** At or above this sexual score, a post that may concern minors needs a person. */
    minors: share,
  }),
  costs: costsSchema,
  judge: z.strictObject({
    /** Below this confidence, the judge's verdict counts as unsure. */
    least_sure: share,
  }),
  /** The share of these posts that is sampled for audits. */
  sample: z.strictObject({ accepted_in_doubt: share, trusted: share }),
})

export type ThresholdsFile = z.output<typeof thresholdsFile>

export type Thresholds = Omit<ThresholdsFile, 'local'> & {
  local: ThresholdsFile['local'] & {
    /** Below this probability of any violation, a post is published without a judge. Derived from the costs. */
    publish: number
    /** The same for a trusted author's post. Posts between the two limits are sampled for audits. */
    publish_trusted: number
  }
}

/** The thresholds from a file, plus those derived from the costs. */
export function withCosts(read: ThresholdsFile, costs: Costs = read.costs): Thresholds {
  const publish = publishBelow(costs, 'new')
  return { ...read, costs, local: { ...read.local, publish, publish_trusted: publishBelow(costs, 'trusted') } }
}

export const thresholds: Thresholds = withCosts(thresholdsFile.parse(file))
