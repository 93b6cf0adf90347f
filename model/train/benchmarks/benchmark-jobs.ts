import { keyOf } from '../../eval/data/outside-sets.ts'
import { evaluationSets } from '../data/evaluation-sets.ts'
import { type DataOptions, gatherBenchmarkRows, gatherRows } from '../data/gather-rows.ts'
import type { Row } from '../data/rows.ts'
import { textMessages } from '../data/sources/deceit.ts'
import { readOpenai } from '../data/sources/openai.ts'
import { chance, shuffleInPlace } from '../fitting/random.ts'

/** A separate training run, and the unseen texts that it is measured on. */
export type Job = { name: string; rows(options: DataOptions): Row[]; texts(data: string): string[] }

export const folds = 5

/** The fold of each row of the benchmark, always the same. */
export function foldsOf(count: number): number[] {
  const order = Array.from({ length: count }, (_, index) => index)
  shuffleInPlace(order, chance(42))
  const fold = new Array<number>(count).fill(0)
  order.forEach((row, place) => {
    fold[row] = place % folds
  })
  return fold
}

const crossValidation: Job[] = Array.from({ length: folds }, (_, number) => ({
  name: `fold-${number}`,
  rows: (options) => {
    const benchmark = gatherBenchmarkRows(options.data)
    const fold = foldsOf(benchmark.length)
    // The benchmark contains some posts twice; a copy of a measured post must not be trained on.
    const measured = new Set(benchmark.filter((_, index) => fold[index] === number).map(({ text }) => keyOf(text)))
    return [...gatherRows(options), ...benchmark.filter(({ text }) => !measured.has(keyOf(text)))]
  },
  texts: (data) => {
    const all = readOpenai(data)
    const fold = foldsOf(all.length)
    return all.filter((_, index) => fold[index] === number).map(({ text }) => text)
  },
}))

const zeroShot: Job = {
  name: 'zero-shot',
  rows: (options) => gatherRows(options),
  texts: (data) => readOpenai(data).map(({ text }) => text),
}

const withoutMessages: Job = {
  name: 'without-sms',
  rows: (options) => [
    ...gatherRows(options).filter(({ source }) => source !== textMessages.name),
    ...gatherBenchmarkRows(options.data),
  ],
  texts: (data) => evaluationSets['sms-half-b'](data).map(({ text }) => text),
}

export const jobs: readonly Job[] = [...crossValidation, zeroShot, withoutMessages]
