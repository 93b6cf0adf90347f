import { classified } from '../../../src/kinds/classified/kind.ts'
import { type Draft, type Drafts, hostileText, hostileTitle, type Role } from './draft.ts'

const [bicycle, translation, gauges] = classified.examples
const utrecht = { country: 'NL', state: 'NL-UT' }
const lisboa = { country: 'PT', state: 'PT-11' }
const price = (amount: number, currency: string) => ({ amount, currency })

type Rest = { price?: object; condition?: string; location?: object; topics?: readonly string[] }

const ad = (category: string, [title, body]: readonly [string, string], rest: Rest = {}, role?: Role): Draft => ({
  by: 'harbour',
  body: { title, body, category, ...rest },
  ...(role && { role }),
})

/** Every category and every condition; prices of no, two and three decimals, of nothing, and none. */
export const ads: Drafts = {
  August: [
    { by: 'harbour', role: 'over', body: bicycle as object },
    ad('other', ['Anchor chain', 'Nine metres, a little rust at one end.'], { topics: ['anchors'] }, 'over'),
  ],
  October: [],
  November: [
    { by: 'hostile', role: 'hostile', body: { title: hostileTitle, body: hostileText, category: 'other' } },
    ad(
      'wanted',
      ['Wanted: a left glove', 'I have the right one. Size eight, grey, mended at the thumb.'],
      {},
      'removed',
    ),
    ad('services', ['Knives sharpened on the quay', 'Saturdays from nine. Bring scissors too.'], {}, 'deleted'),
    ad('for-sale', ['Wooden dinghy with one oar', 'Tight hull; the other oar can be made.'], {}, 'edited'),
    {
      by: 'rightToLeft',
      role: 'written right to left',
      body: {
        title: 'مكتب خشبي من الجوز بحالة جيدة',
        body: 'مكتب قديم بثلاثة أدراج ومفتاحين.\n\nالاستلام من الإسكندرية بعد الظهر فقط.',
        category: 'for-sale',
        price: price(2_400, 'EGP'),
        condition: 'good',
        location: { country: 'EG' },
        topics: ['furniture'],
      },
    },
    ad('other', ['Winch, stuck', 'It held a trawler once. Now it holds the door. Bring a cart and a friend.'], {
      ...{ condition: 'for-parts', location: { country: 'PT', state: 'PT-13' }, topics: ['tools'] },
    }),
    ad('community', ['Crew for the Sunday regatta', 'Two people who can tie a bowline in the dark. Soup afterwards.']),
    ad('data', ['Sea temperatures, forty years', 'Hourly, one file for each buoy, gaps marked, units in the header.'], {
      ...{ price: price(1.125, 'KWD'), condition: 'not-applicable', topics: ['oceans', 'open-data'] },
    }),
    ad('software', ['Parser for old tide tables', 'Reads scanned tables of 1880 to 1960 and gives CSV.'], {
      ...{ price: price(19.99, 'USD'), condition: 'new', topics: ['open-data'] },
    }),
    ad('housing', ['Room above the sailmaker’s shop', 'Twelve square metres, a stove and a view of the masts.'], {
      ...{ price: price(480, 'EUR'), location: lisboa },
    }),
    ad('jobs', ['Night operator for a tide station', 'Two nights a week, reading gauges. Training is paid.'], {
      ...{ price: price(3_150_000, 'KRW'), location: { country: 'KR' }, topics: ['oceans', 'night-work'] },
    }),
    ad('free', ['Moving boxes, about forty', 'Flat, dry and clean. Take all of them, before the end of the month.'], {
      ...{ price: price(0, 'EUR'), condition: 'fair', location: utrecht },
    }),
    ad('for-sale', ['Brass ship’s clock, keeps time', 'Eight-day movement, cleaned last winter.'], {
      ...{ price: price(240.5, 'EUR'), condition: 'like-new', location: utrecht, topics: ['clocks'] },
    }),
    { by: 'tides', body: gauges as object },
    { by: 'tides', body: translation as object },
    { by: 'harbour', role: 'plain', body: bicycle as object },
  ],
}
