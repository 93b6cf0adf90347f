import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawFlame } from './flame-svg.ts'
import { addProfile, type CpuProfile, emptyTree } from './profile-tree.ts'

const repository = join(import.meta.dirname, '../../..')
const usage = 'Usage: npm run bench -- flame <file.cpuprofile> [more.cpuprofile …] <image.svg> [--title "…"]'

/** Draws CPU profiles of V8 as one static flame graph. Time in which the process waited is left out. */
export async function drawFlameGraph(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { title: { type: 'string' } } })
  const image = positionals.at(-1)
  const profiles = positionals.slice(0, -1)
  if (!image?.endsWith('.svg') || profiles.length === 0) {
    console.error(usage)
    process.exitCode = 2
    return
  }
  const tree = emptyTree()
  for (const path of profiles) addProfile(tree, JSON.parse(readFileSync(path, 'utf8')) as CpuProfile, repository)
  writeFileSync(image, drawFlame(tree, values.title ?? 'CPU time'))
  console.log(`${image}: ${(tree.micros / 1e6).toFixed(2)} s of CPU, ${statSync(image).size} bytes`)
}
