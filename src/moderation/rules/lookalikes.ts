/** Greek and Cyrillic letters that pass for Latin ones. */
const pairs = [
  'аa',
  'еe',
  'оo',
  'рp',
  'сc',
  'уy',
  'хx',
  'іi',
  'јj',
  'ѕs',
  'ԁd',
  'ԛq',
  'ԝw',
  'һh',
  'кk',
  'мm',
  'тt',
  'вb',
  'нh',
]
  .concat([
    'αa',
    'οo',
    'ρp',
    'ιi',
    'κk',
    'νv',
    'υu',
    'τt',
    'χx',
    'εe',
    'ηn',
    'ωw',
    'ıi',
    'ɑa',
    'ɡg',
    'ⅼl',
    'ɩi',
    'ʏy',
    'ոn',
  ])
  .map((pair) => [...pair] as [string, string])

const latin = new Map([
  ...pairs,
  ...pairs
    .map(([letter, other]) => [letter.toUpperCase(), other.toUpperCase()] as [string, string])
    .filter(([letter], index) => letter !== pairs[index]?.[0]),
])

/** The Latin letter that this one passes for, in its own case. */
export const latinOf = (letter: string): string | undefined => latin.get(letter)

/** Finds them in a text of small letters. */
export const lookalike = new RegExp(`[${pairs.map(([letter]) => letter).join('')}]`, 'gu')
