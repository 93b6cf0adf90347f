import { deceitSignals } from './deceit.ts'
import { harmSignals } from './harm.ts'
import { integritySignals } from './integrity.ts'
import { peopleSignals } from './people.ts'
import { qualitySignals } from './quality.ts'
import type { Signals } from './signals.ts'

export { minorWords, negations, type Signals, tellingWords } from './signals.ts'

export const signals: readonly Signals[] = [
  ...peopleSignals,
  ...harmSignals,
  ...deceitSignals,
  ...integritySignals,
  ...qualitySignals,
]
