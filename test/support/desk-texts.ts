import type { Kind } from '../../src/kinds/index.ts'
import { injections } from './injections.ts'

/** What strangers write: plain, long, from right to left, full of links, and meant to be taken for something else. */
const texts: readonly ((number: number) => string)[] = [
  (number) => `The night ferry of pier ${number} leaves at ten past one from Friday on, and takes bicycles again.`,
  (number) =>
    `Get ${number} % off today: https://deals${number}.example/now?ref=${number}, https://xn--pypal-4ve.example/login and https://раураl.example/confirm. Also http://203.0.113.${number % 250}/a and https://mirror.example/${'path/'.repeat(12)}end.`,
  (number) => `هذه رسالة رقم ${number} عن مواعيد العبّارة، ورابطها https://ferries.example/ar/${number} للمزيد.`,
  (number) => `👩‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ${'🎉'.repeat(12)} lot ${number}: first come, first served 🚲🚲🚲`,
  (number) => `${injections['links in HTML']} ${injections['a plain order']} Case ${number}.`,
  (number) =>
    `Averylongword${'verylong'.repeat(14)}withoutaspace number ${number}, and then a few words more about nothing at all.`,
  (number) => `שלום לכולם, כאן ההודעה מספר ${number}: הרציף המערבי סגור עד הבוקר.`,
  (number) =>
    `I measured the tide ${number} times this week.\n\nThe median error of the table was ${number} mm; the data are at https://data.example/tides/${number}`,
]

const titles: readonly ((number: number) => string)[] = [
  (number) => `Timetable ${number} of the western pier`,
  (number) => `EVERYTHING MUST GO ${number}`,
  (number) => `إعلان رقم ${number}`,
  (number) => `</title><svg onload=alert(${number})>`,
  (number) =>
    `A title of some length, which goes on about lot ${number} until the line of a narrow phone has long ended`,
]

/** Not in step with the kinds, which are taken in turn: each kind gets every text. */
const pick = <Item>(list: readonly Item[], number: number) =>
  list[(number + Math.floor(number / 4)) % list.length] as Item

export const textOf = (number: number) => pick(texts, number)(number)

/** A whole body of the kind, unlike that of every other number. A story needs its words, so those of the example follow. */
export function bodyOf(kind: Kind, number: number, text = textOf(number)): object {
  const example = pick(kind.examples, number) as Record<string, unknown>
  const own = { title: pick(titles, number)(number), text, body: `${text}\n\n${example['body']}` }
  const members = Object.entries(own).filter(([member]) => member in example)
  return kind.body.parse({ ...example, ...Object.fromEntries(members) })
}

export const accountNames = [
  'Harbour Notices',
  'نشرة الميناء',
  '<b onmouseover=alert(1)>Bold & Sons</b>',
  'The Very Long Name of an Agency for Second-hand Machines, Ferries and Small Notices',
  'tidewatch-7',
]
