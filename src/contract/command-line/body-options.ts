import type { CliOption } from './command.ts'

/** Options that set the fields of a post. Some apply to some kinds only; the service names those that do not. */
export const bodyOptions: readonly CliOption[] = [
  { name: 'text', value: 'text', field: 'text', description: 'The text of a message.' },
  { name: 'title', value: 'text', field: 'title', description: 'The title of a story, ad or event.' },
  { name: 'body', value: 'text', field: 'body', description: 'The text of a story, ad or event. @file reads a file.' },
  { name: 'topic', value: 'topic', field: 'topics', repeats: true, description: 'A topic. Can be repeated.' },
  { name: 'place', value: 'name', field: 'location', description: 'The place, such as "Lisbon, Portugal".' },
  { name: 'category', value: 'category', field: 'category', description: 'The category of an ad.' },
  { name: 'price', value: 'price', field: 'price', description: 'The price of an ad, such as "120 EUR".' },
  { name: 'condition', value: 'condition', field: 'condition', description: 'The condition of the item in an ad.' },
  { name: 'timezone', value: 'zone', field: 'timezone', description: 'The time zone of an event: Europe/Lisbon' },
  {
    name: 'starts-at',
    value: 'time',
    field: 'starts_at',
    description: 'When an event starts: 2030-06-15T18:00:00+01:00',
  },
  { name: 'ends-at', value: 'time', field: 'ends_at', description: 'When an event ends.' },
]
