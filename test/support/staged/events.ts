import { event } from '../../../src/kinds/event/kind.ts'
import { type Draft, type Drafts, hostileText, hostileTitle, type Role } from './draft.ts'

const [observatory, films, clinic] = event.examples
const lisboa = { country: 'PT', state: 'PT-11' }

type Times = readonly [timezone: string, starts_at: string, ends_at: string]
type Rest = { location?: object; topics?: readonly string[] }

const meeting = ([title, body]: readonly [string, string], times: Times, rest: Rest = {}, role?: Role): Draft => ({
  by: 'harbour',
  body: { title, body, timezone: times[0], starts_at: times[1], ends_at: times[2], ...rest },
  ...(role && { role }),
})

const december = (day: string, from: string, to: string): Times => [
  ...(['Europe/Lisbon', `2026-12-${day}T${from}:00Z`, `2026-12-${day}T${to}:00Z`] as const),
]

/** Two on one day, one over midnight, one of several days, zones with odd offsets, near and far. */
export const events: Drafts = {
  August: [
    meeting(
      ['Regatta of the old boats', 'Nine boats, one of them older than the bridge.'],
      ['Europe/Lisbon', '2026-09-12T10:00:00+01:00', '2026-09-12T17:00:00+01:00'],
      { location: lisboa, topics: ['regattas'] },
      'over',
    ),
  ],
  October: [
    { by: 'tides', body: films as object },
    {
      by: 'hostile',
      role: 'hostile',
      body: { ...observatory, title: hostileTitle, body: hostileText, starts_at: '2030-06-15T17:00:00+01:00' },
    },
  ],
  November: [
    meeting(
      ['A glove is looked for', 'We meet at the quay with lamps.'],
      december('13', '17:00', '18:00'),
      {},
      'removed',
    ),
    meeting(
      ['Bridge opening', 'The swing bridge turns for visitors.'],
      december('19', '10:00', '11:00'),
      {},
      'deleted',
    ),
    meeting(['Boat jumble', 'Bring what you do not need.'], december('12', '09:00', '13:00'), {}, 'edited'),
    {
      by: 'rightToLeft',
      role: 'written right to left',
      body: {
        title: 'أمسية شعرية على رصيف الميناء',
        body: 'قراءات قصيرة مع الشاي والقهوة. الدخول مجاني والمقاعد محدودة.',
        timezone: 'Africa/Cairo',
        starts_at: '2026-12-20T19:00:00+02:00',
        ends_at: '2026-12-20T21:00:00+02:00',
        location: { country: 'EG' },
        topics: ['poetry'],
      },
    },
    meeting(
      ['Winter school on tidal models', 'Five days of lectures, with a public talk each evening.'],
      ['America/St_Johns', '2027-01-11T09:00:00-03:30', '2027-01-15T17:30:00-03:30'],
      { topics: ['science', 'oceans'], location: { country: 'CA', state: 'CA-NL' } },
    ),
    meeting(
      ['Night of the shooting stars', 'Blankets, tea and a telescope on the breakwater.'],
      ['Pacific/Auckland', '2026-12-14T23:30:00+13:00', '2026-12-15T03:00:00+13:00'],
      { topics: ['science'] },
    ),
    meeting(
      ['Harbour choir, open rehearsal', 'Sit where you like. Scores lie on the chairs.'],
      december('05', '20:30', '22:00'),
      { location: lisboa, topics: ['music'] },
    ),
    meeting(['Knots for beginners', 'Twelve knots in two hours. Rope is provided.'], december('05', '18:00', '20:00'), {
      ...{ location: lisboa, topics: ['sailing', 'crafts'] },
    }),
    { by: 'tides', body: clinic as object },
    { by: 'harbour', role: 'plain', body: observatory as object },
  ],
}
