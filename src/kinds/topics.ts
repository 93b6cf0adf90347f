import { z } from 'zod'
import type { TextPart } from '../contract/text/text.ts'
import type { Filter } from './define-kind.ts'

const topic = z
  .string()
  .min(2)
  .max(40)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must contain only lowercase letters a–z and digits, separated by single hyphens')

const maxTopics = 5

// A request can contain 100,000 topics, and Zod cannot report that many errors. With Zod's limit on the length of an
// array, Zod would skip every check that compares the fields of a body.
export const topics = z
  .preprocess(
    (value) => (Array.isArray(value) ? value.slice(0, maxTopics + 1) : value),
    z.array(topic).superRefine(refuseTooManyOrRepeated, { when: ({ value }) => Array.isArray(value) }),
  )
  .meta({
    description: 'What the post is about. Each topic has 2 to 40 characters. Defaults to none.',
    maxItems: maxTopics,
    uniqueItems: true,
    examples: [['public-transport', 'ferries']],
  })
  .default([])

function refuseTooManyOrRepeated(list: string[], context: z.core.$RefinementCtx<string[]>) {
  if (list.length > maxTopics)
    context.addIssue({ code: 'custom', message: `must have at most ${maxTopics} topics; remove the rest` })
  for (const [index, one] of list.entries())
    if (list.indexOf(one) < index)
      context.addIssue({ code: 'custom', path: [index], message: 'repeats an earlier topic; remove it' })
}

type WithTopics = { topics: string[] }

export const topicFacets = ({ topics }: WithTopics): { topics?: readonly string[] } =>
  topics.length > 0 ? { topics } : {}

export const topicListings = ({ topics }: WithTopics): string[] => topics.map((topic) => `topics/${topic}`)

export const topicTexts = ({ topics }: WithTopics): TextPart[] =>
  topics.length > 0 ? [{ field: 'topics', text: topics.join(' ') }] : []

/** `#Open Data` as `open-data`. */
function topicFrom(written: string): string {
  return written.trim().replace(/^#/, '').toLowerCase().replaceAll(/\s+/g, '-')
}

export const topicFilters = {
  topic: {
    query: topic.meta({ description: 'Posts with this topic.', examples: ['open-data'] }),
    facet: 'topics',
    compare: 'contains',
    search: { label: 'Topic', maxLength: 60, normalise: topicFrom },
  },
} satisfies Record<string, Filter>
