import assert from 'node:assert/strict'

/** How many times work that seems too slow is measured again, together with the reference reading. */
const tries = 25
/** How many of these must be within the limit. One may be so because something disturbed its reference reading. */
const enough = 4

/**
 * A quarter of a million characters, read as our rules read a text. Three times takes 30 to 50 ms on an idle machine.
 */
const text = 'The ferry sails at nine, é — 42. '.repeat(8_000)
function readOnce(): number {
  let seen = text.normalize('NFD').length
  for (const [word] of text.matchAll(/\p{L}+/gu)) seen += word.length
  for (const character of text) seen += character.codePointAt(0) ?? 0
  return seen
}

/** In milliseconds of this thread, so that other load counts little. Some kernels count in steps of 4 ms. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

const readingMs = () => cpuMs(() => [readOnce(), readOnce(), readOnce()])
let usualReadingMs: number | undefined

/**
 * Fails if the work takes longer than reading a text this many times. A slow machine is slow at both, so no limit in
 * seconds is needed. Quadratic work takes as long as thousands of readings.
 */
export function assertCheap(work: () => unknown, mostReadings: number, what: string): void {
  usualReadingMs ??= Math.min(...Array.from({ length: 5 }, readingMs))
  const first = cpuMs(work) / usualReadingMs
  // Ten times too slow is not a coincidence.
  if (first > mostReadings && first < 10 * mostReadings && isOftenWithin(work, mostReadings)) return
  assert.ok(first <= mostReadings, `${what} took ${first.toFixed(2)} readings, and may take ${mostReadings}`)
}

function isOftenWithin(work: () => unknown, mostReadings: number): boolean {
  let within = 0
  for (let times = 0; times < tries && within < enough; times++) if (compareOnce(work) <= mostReadings) within++
  return within === enough
}

function compareOnce(work: () => unknown): number {
  const reading = readingMs()
  return cpuMs(work) / reading
}
