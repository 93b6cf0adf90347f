/** A way to write a text so that a machine reads something else than a person. */
export type Obfuscation = { name: string; what: string; write: (text: string) => string }

/** A hundred harmless words, none twice in a row, so that no rule about repetition sees them. */
export const harmlessWords = `The allotments behind the station open at seven, and by eight the first people are \
watering beans. Last week we repaired the bench near the pump and painted it green. Anna brought tomato plants, \
Jonas a barrow of compost, and somebody left a box of jars for the autumn. On Sunday the bees were moved to the far \
hedge, where they disturb nobody. If the weather holds, we will lift the potatoes on Thursday and cook soup for \
everyone who helps. Gloves are in the shed, the key hangs at the baker’s, and children are welcome to paint the signs.`

/** Letters that look the same in another alphabet. */
const lookAlikes: Record<string, string> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', y: 'у' }
const digits: Record<string, string> = { a: '4', e: '3', i: '1', o: '0', s: '5', t: '7' }

const replaceLetters = (text: string, letters: Record<string, string>) =>
  text.replaceAll(/[a-z]/gi, (letter) => letters[letter.toLowerCase()] ?? letter)

const spaceLetters = (text: string) => text.replaceAll(/\S+/g, (word) => (word.length > 3 ? [...word].join(' ') : word))

export const obfuscations = {
  plain: { name: 'plain', what: 'as it was written', write: (text) => text },
  zeroWidth: {
    name: 'zero-width',
    what: 'a zero-width space between all letters',
    write: (text) => [...text].join('\u200b'),
  },
  lookAlikes: {
    name: 'look-alikes',
    what: 'seven letters replaced by Cyrillic ones',
    write: (text) => replaceLetters(text, lookAlikes),
  },
  leet: { name: 'leet', what: 'six letters replaced by digits', write: (text) => replaceLetters(text, digits) },
  spaced: { name: 'spaced letters', what: 'spaces between the letters of longer words', write: spaceLetters },
  before: {
    name: '100 words before',
    what: 'a harmless paragraph of a hundred words before it',
    write: (text) => `${harmlessWords}\n\n${text}`,
  },
  after: {
    name: '100 words after',
    what: 'a harmless paragraph of a hundred words after it',
    write: (text) => `${text}\n\n${harmlessWords}`,
  },
} satisfies Record<string, Obfuscation>
