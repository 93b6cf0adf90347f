import { test } from 'node:test'
import { assertCheap } from '../../../test/support/cost.ts'
import { isPerhapsEnglish } from './features/language.ts'
import { prepareText } from './features/prepare-text.ts'
import { splitWindows } from './features/windows.ts'

function read(text: string): void {
  const prepared = prepareText(text)
  isPerhapsEnglish(prepared)
  splitWindows(prepared)
}

// Quadratic code took 1.5 s for 38,000 characters, and four times as long for these texts.
for (const piece of ['.', '@', 'a ', '…', '-', 'x', 'é', '@a ', 'a.', '. A', '? ', '" ', 'http://', '&amp;', '\n \t'])
  test(`80,000 characters of ${JSON.stringify(piece)} are read in little time`, () => {
    assertCheap(() => read(piece.repeat(Math.ceil(80_000 / piece.length))), 60, piece)
  })
