import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readWords, textOr } from '../../../tooling/script-options.ts'
import { drawFlame } from './flame-svg.ts'
import { addProfile, type CpuProfile, emptyTree } from './profile-tree.ts'

const repository = join(import.meta.dirname, '../../..')
/** Draws CPU profiles of V8 as one static flame graph. Time in which the process waited is left out. */
export async function drawFlameGraph(args: string[]): Promise<void> {
  const { values, words } = readWords(args, { title: textOr('CPU time') }, ['<image.svg>', '<file.cpuprofile>', '…'])
  const [image = '', ...profiles] = words
  const tree = emptyTree()
  for (const path of profiles) addProfile(tree, JSON.parse(readFileSync(path, 'utf8')) as CpuProfile, repository)
  writeFileSync(image, drawFlame(tree, values.title))
  console.log(`${image}: ${(tree.micros / 1e6).toFixed(2)} s of CPU, ${statSync(image).size} bytes`)
}
