import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoDir } from './services/state.ts'

type Block = { heading: string; commands: string }

/** The fenced `sh` blocks of a document, in order, each with the heading above it. A block in a list is indented. */
export function readGuide(path: string): Block[] {
  const text = readFileSync(join(repoDir, path), 'utf8')
  let heading = ''
  const blocks: Block[] = []
  for (const [, title, indent = '', commands] of text.matchAll(/^## (.+)$|^( *)```sh\n([\s\S]*?)^\2```$/gm)) {
    if (title) heading = title
    else if (commands) blocks.push({ heading, commands: commands.replaceAll(new RegExp(`^${indent}`, 'gm'), '') })
  }
  return blocks
}

/**
 * One script with all commands of a document, or of the sections named, as they stand. Only values that an operator
 * chooses are replaced, after the block that sets them.
 */
export function guideScript(path: string, values: Record<string, string>, sections?: readonly string[]): string {
  const blocks = readGuide(path).filter(({ heading }) => sections?.includes(heading) ?? true)
  const missing = new Set(Object.keys(values))
  const steps = blocks.map(({ heading, commands }, index) => {
    const own = Object.entries(values).filter(([name]) => new RegExp(`^${name}=`, 'm').test(commands))
    for (const [name] of own) missing.delete(name)
    const title = heading === blocks[index - 1]?.heading ? '' : `printf '\\n▶ %s\\n' '${heading}'\n`
    return [title, commands, ...own.map(([name, value]) => `${name}='${value}'\n`)].join('')
  })
  if (missing.size > 0) throw new Error(`${path} does not set ${[...missing].join(', ')}.`)
  return ['set -euo pipefail\n', ...steps].join('')
}
