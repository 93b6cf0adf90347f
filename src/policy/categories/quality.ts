import type { PolicyCategory } from '../category.ts'

/** The quality bar for every post. A post that misses it is refused as `low_quality`. */
export const qualityBar = [
  {
    id: 'specific',
    rule: 'The post tells a reader something specific: a fact, an offer, a question, an experience, an invitation.',
  },
  {
    id: 'self_contained',
    rule: 'It can be understood on its own, without a thread, an attachment or a page behind a link.',
  },
  { id: 'title_matches_body', rule: 'The title says what the body is about and promises nothing that the body lacks.' },
  { id: 'finished', rule: 'It is not a test, a placeholder, filler, an unfilled template or a text that breaks off.' },
  {
    id: 'not_repeated',
    rule: 'It does not say one thing over and over, and does not repeat a post that is already up.',
  },
  { id: 'not_mostly_links', rule: 'Links support the text: what is left without them is still worth reading.' },
  {
    id: 'right_site',
    rule: 'It is on the site it belongs to: a short message, a story, something offered or sought, or an event.',
  },
  { id: 'true_place_and_time', rule: 'The place, the time and the topics given are those that the post is about.' },
  { id: 'for_readers', rule: 'It is written for readers, not addressed to models, crawlers or the service.' },
] as const

export const lowQuality: PolicyCategory = {
  id: 'low_quality',
  title: 'Below the quality bar',
  abusive: false,
  definition:
    'Covers posts that do no harm but miss a rule of the quality bar. The fee comes back at once, no strike is ' +
    'added, and a better version may be sent. ' +
    'Does not cover opinion, taste, simple language, mistakes in spelling, small subjects, any language or dialect, ' +
    'or text written by a model: none of these is a fault. ' +
    'The line: would one reader, somewhere, be glad to have found this post? Then it is good enough. If the poor ' +
    'quality is a method to gain attention, it is spam.',
  examples: {
    violating: [
      'Message: test test 123 please ignore',
      'Classified ad: Item for sale. Good quality, good price, contact for details.',
      'Event: [EVENT NAME] at [VENUE]: join us for an unforgettable experience that you will not forget!',
      'Story: In today’s fast-moving world, change is everywhere. Change matters. This is why, in our world of ' +
        'change, change is what matters.',
    ],
    non_violating: [
      'Message: First cranes over the reservoir this morning, eleven of them, a week earlier than last year.',
      'Classified ad: Pram, blue, one wheel squeeks, was use by two childrens. 20 or a cake.',
      'Event: Board games in the community room. Usually four or five of us come. Bring nothing.',
      'Story: I counted the bolts on our bridge each Sunday for a year. Here is the number, and why it changed.',
    ],
  },
}
