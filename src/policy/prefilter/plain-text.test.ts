import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emptyText, hiddenCharacter, moreLinksThanWords } from './plain-text.ts'
import type { Rule } from './rule.ts'

type Tables = { refused: Record<string, string>; passes: Record<string, string> }

function holds(rule: Rule, { refused, passes }: Tables) {
  for (const [title, text] of Object.entries(refused)) {
    test(`${title}: rejected`, () => assert.match(rule.find([{ field: 'body', text }]) ?? '', /^`body` [^\n]+\.$/))
  }
  for (const [title, text] of Object.entries(passes)) {
    test(`${title}: passes`, () => assert.equal(rule.find([{ field: 'body', text }]), null))
  }
}

describe('an empty text', () => {
  holds(emptyText, {
    refused: {
      'no character': '',
      spaces: ' \t ',
      'line breaks': '\n\n\n',
      'a question mark': '?',
      dots: '...',
      'a line': '----------',
      'a face made of signs': ':-)',
      currency: '$$$',
      arrows: '→ ⇒ ≠',
      'the blank of braille': '\u2800\u2800',
      'a letter that nobody sees': '\u3164',
      'fullwidth signs': '！？。',
    },
    passes: {
      'a letter': 'a',
      'a digit': '7',
      'an emoji': '🎉',
      'an emoji of text style': '☺',
      'a flag': '🇵🇹',
      'a heart with its selector': '❤️',
      Chinese: '好',
      Arabic: 'نعم',
      Braille: '⠓⠑⠇⠇⠕',
      'a Roman number': 'Ⅳ',
      'a fraction': '½',
      'a sum': '1 + 1 = 2',
    },
  })
})

describe('more links than words', () => {
  const link = (number: number) => `https://site-${number}.example/a/b?c=${number}`
  holds(moreLinksThanWords, {
    refused: {
      'a link alone': link(1),
      'a link in brackets': `(${link(1)})`,
      'a link and signs': `→ ${link(1)} !!!`,
      'two links': `${link(1)} ${link(2)}`,
      'two links and one word': `Look ${link(1)} ${link(2)}`,
      'links joined by commas': `${link(1)},${link(2)},${link(3)} hi`,
      'one link three times': `Here: ${link(1)} ${link(1)} ${link(1)}`,
      'a list of links': Array.from({ length: 30 }, (_, number) => `- ${link(number)}`).join('\n'),
      'a list with a title': `Useful links\n${[1, 2, 3, 4].map(link).join('\n')}`,
      'an emoji for each link': [1, 2, 3].map((number) => `🔗 ${link(number)}`).join('\n'),
    },
    passes: {
      'no link': 'Only words here.',
      'one word and one link': `Tides: ${link(1)}`,
      'a few words and one link': `The new tide table is out: ${link(1)}`,
      'a link that holds another': 'Archived: https://archive.example/web/2020/https://old.example/page',
      'a label for each link': [1, 2, 3].map((number) => `Part ${number}: ${link(number)}`).join('\n'),
      'a link in a sentence of Chinese': '说明在https://example.com/a这个页面',
      'Thai after a link without a space': 'https://example.com/aดูตารางใหม่ที่นี่',
      'a host without http': 'example.com example.org example.net',
      'Markdown links': `[the notice](${link(1)}) and [its map](${link(2)})`,
      'a long link': `Pictures of the room: https://photos.example/${'a1/'.repeat(100)}`,
    },
  })

  test('counts over all texts of the post, and names the one with links', () => {
    const body = { field: 'body', text: 'https://jazz.example' }
    assert.equal(moreLinksThanWords.find([{ field: 'title', text: 'Jazz on Friday' }, body]), null)
    assert.match(moreLinksThanWords.find([{ field: 'title', text: '???' }, body]) ?? '', /^`body`/)
    assert.match(moreLinksThanWords.find([body, { field: 'topics', text: 'jazz concerts' }]) ?? '', /^`body`/)
  })
})

describe('a hidden character', () => {
  holds(hiddenCharacter, {
    refused: {
      'a zero-width space': 'ab\u200Bc',
      'a bidirectional control': 'ab\u202Ec',
      'a tag character': 'a\u{E0041}',
      'a soft hyphen': 'co\u00ADop',
      'a byte order mark': '\uFEFFa',
      'a control character': 'a\u0007',
      'a lone surrogate': 'a\uD83D',
      'a pile of marks': `a${'\u0323'.repeat(31)}`,
    },
    passes: {
      'plain text': 'A plain text, with\ntwo lines and\ta tab.',
      'a family': '👨‍👩‍👧',
      'a heart': '❤️',
      'a keycap': '1️⃣',
      Persian: '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
      Khmer: '\u1797\u17B6\u179F\u17B6\u200B\u1781\u17D2\u1798\u17C2\u179A',
      Hebrew: 'שלום עולם',
      accents: 'e\u0301',
    },
  })

  test('is named with its place', () => {
    assert.equal(
      hiddenCharacter.find([{ field: 'name', text: 'ab\u200Bc' }]),
      '`name` contains a zero-width character (U+200B) at position 2, which readers cannot see. Remove it.',
    )
  })
})
