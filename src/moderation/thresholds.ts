import { z } from 'zod'
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
    /** Below this, of the probability that any rule is broken, the model sees nothing: without a judge, only such a post is published. */
    publish: share,
    /** The same for a trusted author's post. What lies between the two is audited by sample. */
    publish_trusted: share,
    /** From here on no judge's word publishes the post. */
    suspect: share,
    /** The same of the probability of one category. */
    suspect_category: share,
    /** From here on the model counts as the second stage that names the judge's category. */
    agree: share,
    /** From here on a text that speaks of minors is sexual enough to be a person's case. */
    minors: share,
  }),
  judge: z.strictObject({
    /** A judge that is less sure of what it says has said nothing but a doubt. */
    least_sure: share,
  }),
  /** How many of such posts go to the audit queue. */
  sample: z.strictObject({ accepted_in_doubt: share, trusted: share }),
})

export type Thresholds = z.output<typeof thresholdsFile>

export const thresholds: Thresholds = thresholdsFile.parse(file)
