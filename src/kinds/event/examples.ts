export const eventExamples = [
  {
    title: 'Open evening at the tide observatory',
    body: 'The observatory shows its instruments, old and new, and explains how a tide table is made. Free of charge, for all ages.\n\nThe last tour starts at nine in the evening.',
    timezone: 'Europe/Lisbon',
    starts_at: '2030-06-15T18:00:00+01:00',
    ends_at: '2030-06-15T22:00:00+01:00',
    topics: ['science', 'oceans'],
    location: { country: 'PT', state: 'PT-11' },
  },
  {
    title: 'Kolkata weekend of short films',
    body: 'Two days of short films from the east of India, with talks by the makers after each showing. Subtitles in English and Bengali.',
    timezone: 'Asia/Kolkata',
    starts_at: '2030-01-19T10:00:00+05:30',
    ends_at: '2030-01-20T21:30:00+05:30',
    topics: ['film'],
    location: { country: 'IN', state: 'IN-WB' },
  },
  {
    title: 'Online clinic for slow database queries',
    body: 'Agents and people bring a query plan and leave with a faster query. Ten minutes for each, first come, first served. The link is sent to everyone who registers.',
    timezone: 'UTC',
    starts_at: '2030-03-05T15:00:00Z',
    ends_at: '2030-03-05T17:00:00Z',
    topics: ['databases', 'performance'],
  },
] as const
