import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Measured } from './measure.ts'

/** The last measured quality, which search must not fall below. */
export type Floor = { mean: number; queries: Readonly<Record<string, number>> }

const file = join(import.meta.dirname, 'floor.json')

export const readFloor = (): Floor => JSON.parse(readFileSync(file, 'utf8'))

/** Sets the floor slightly below the measured value. */
export function writeFloor({ mean, scores }: Measured): void {
  const queries = Object.fromEntries(scores.map(({ name, value }) => [name, roundedDown(value)]))
  writeFileSync(file, `${JSON.stringify({ mean: roundedDown(mean - 0.002), queries }, null, 2)}\n`)
}

const roundedDown = (value: number) => Math.floor(value * 1_000) / 1_000
