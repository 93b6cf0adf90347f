import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPerhapsEnglish } from './language.ts'
import { prepareText } from './prepare-text.ts'
import { splitWindows } from './windows.ts'

/** What one text took of the processor, so that a busy machine changes nothing. */
function measure(text: string): number {
  const before = process.cpuUsage()
  const prepared = prepareText(text)
  isPerhapsEnglish(prepared)
  splitWindows(prepared)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

// Quadratic work took 1.5 s for 38,000 characters, and four times that for these.
for (const piece of ['.', '@', 'a ', '…', '-', 'x', 'é', '@a ', 'a.', '. A', '? ', '" ', 'http://', '&amp;', '\n \t'])
  test(`80,000 characters of ${JSON.stringify(piece)} are read in little time`, () => {
    assert.ok(measure(piece.repeat(Math.ceil(80_000 / piece.length))) < 3_000)
  })
