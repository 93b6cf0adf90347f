import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { repeatedText } from './repeated-text.ts'

const find = (text: string) => repeatedText.find([{ field: 'body', text }])
const times = (count: number, text: string) => Array.from({ length: count }, () => text)

const paragraph =
  'The mill stood empty for a year before anyone asked who owned the wheel. ' +
  'Then three people came in one week, each with a letter, and each letter named another owner.'

const refused: Record<string, string> = {
  'one letter': 'a'.repeat(40),
  'one letter and a greeting': `hello ${'a'.repeat(200)}`,
  'one digit': '7'.repeat(25),
  'one emoji': '🎉'.repeat(20),
  'one emoji with its selector': '❤️'.repeat(30),
  'a shout': `wow${'!'.repeat(60)}`,
  'one character of Chinese': '哈'.repeat(30),
  'one word': times(25, 'test').join(' '),
  'one word with changing signs': times(25, 'Gold').join('! , '),
  'one word among a few others': `${times(20, 'shoes').join(' ')} cheap shoes buy shoes`,
  'two words': times(12, 'buy now').join(' '),
  'a phrase after an opening': `Hello dear friends! ${times(10, 'click here now').join(' ')}`,
  'a line': times(8, 'Followers at boost.example for five').join('\n'),
  'a sentence': times(6, 'Nobody knows the price of the lamp.').join(' '),
  'a phrase of Chinese': times(8, '买黄金').join(''),
  'a paragraph to fill a story': times(6, paragraph).join('\n\n'),
  'two paragraphs in turn, and an end': `${times(5, `${paragraph}\n\nAnd so on.`).join('\n\n')}\n\nThat is all.`,
}

const numbers = ['Ten', 'Nine', 'Eight', 'Seven', 'Six', 'Five', 'Four', 'Three', 'Two', 'One']
const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const refrain = 'And the river runs on, and the river runs on.'

const passes: Record<string, string> = {
  'a laugh': times(12, 'ha').join(' '),
  'a cheer': 'Hip hip hooray! Hip hip hooray! Hip hip hooray! Hip hip hooray!',
  'a lengthened word in a sentence': `What a go${'o'.repeat(30)}al in the last minute, from the left side!`,
  'a lengthened word alone': 'nooooooooooo',
  'a placeholder and its name': `The key has this form: sk_live_${'x'.repeat(24)}`,
  'the zero address': `Tokens sent to 0x${'0'.repeat(40)} are burnt for ever.`,
  'lines that divide': `Yard sale\n${'-'.repeat(60)}\nBooks and lamps\n${'='.repeat(60)}`,
  'dots that lead to a price': ['Soup', 'Bread', 'Tea'].map((dish) => `${dish} ${'.'.repeat(50)} 4`).join('\n'),
  'room to write': `Name: ${'_'.repeat(80)}`,
  'a poem with a refrain': ['Snow on the mill', 'Ice on the weir', 'Boats in the reeds', 'Leaves on the stair']
    .map((line) => `${line},\n${refrain}`)
    .join('\n\n'),
  'a counting song': numbers
    .map((number) => `${number} green bottles hanging on the wall, and if one green bottle should accidentally fall`)
    .join('\n'),
  'a litany': ['Saint Anne', 'Saint Jude', 'Saint Agnes', 'Saint Blaise', 'Saint Roch', 'Saint Cecilia', 'Saint Giles']
    .map((name) => `${name}, pray for us.`)
    .join('\n'),
  'a list of similar items': ['oak', 'pine', 'beech', 'ash', 'elm', 'walnut', 'cherry', 'maple']
    .map((wood) => `Chair, ${wood}, good condition, pick up in Elm Street, 20 each`)
    .join('\n'),
  'a timetable': days.map((day) => `${day}\n9:00 to 12:00 and 14:00 to 18:00`).join('\n'),
  'a matrix': Array.from({ length: 8 }, (_, row) => times(8, '0').with(row, '1').join(' ')).join('\n'),
  'a game of noughts and crosses': times(9, 'x o x').join('\n'),
  'a knitting pattern': `Cast on 40. Row 1: ${times(6, 'k2 p2').join(' ')}. Row 2: knit all. Repeat both rows until the piece measures ten centimetres, then bind off loosely and weave the ends in.`,
  'a sentence said four times': times(4, 'Never again will I lend my ladder to him.').join(' '),
  'a paragraph': paragraph,
  'numbers in columns': days.map((day, index) => `${day} 10 10 10 1${index}`).join('\n'),
}

describe('repeated text', () => {
  for (const [title, text] of Object.entries(refused)) {
    test(`${title}: rejected`, () => assert.match(find(text) ?? '', /^`body` [^\n]+\.$/))
  }
  for (const [title, text] of Object.entries(passes)) {
    test(`${title}: passes`, () => assert.equal(find(text), null))
  }

  test('a loop of any length is found wherever it begins, and nothing but a loop is', () => {
    const word = fc.constantFrom('one', 'two', 'three')
    const looped = fc
      .tuple(fc.array(word), fc.array(word, { minLength: 1, maxLength: 9 }), fc.nat({ max: 9 }), fc.array(word))
      .map(([before, round, rounds, after]) => [...before, ...times(rounds, round.join(' ')), ...after])
    fc.assert(
      fc.property(looped, (parts) => {
        const words = parts.join(' ').split(' ').filter(Boolean)
        assert.equal(find(words.join(' ')) !== null, words.length >= 20 && (hasLoop(words) || hasOneWord(words)))
      }),
      { numRuns: 3_000 },
    )
  })
})

const hasOneWord = (words: readonly string[]) =>
  words.some((word) => words.filter((other) => other === word).length > 0.7 * words.length)

/** The same check, done the slow and obvious way. */
function hasLoop(words: readonly string[]): boolean {
  for (let round = 1; round <= words.length / 5; round++) {
    let equal = 0
    for (let index = round; index < words.length; index++) {
      equal = words[index] === words[index - round] ? equal + 1 : 0
      const stretch = equal + round
      if (stretch >= 5 * round && stretch >= 0.6 * words.length) return true
    }
  }
  return false
}
