import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoDir } from '../../tooling/services/state.ts'

type Block = { heading: string; commands: string }

/** The fenced `sh` blocks of docs/install.md, in order, each with the heading above it. */
export function readGuide(): Block[] {
  const text = readFileSync(join(repoDir, 'docs/install.md'), 'utf8')
  let heading = ''
  const blocks: Block[] = []
  for (const [, title, commands] of text.matchAll(/^## (.+)$|^```sh\n([\s\S]*?)^```$/gm)) {
    if (title) heading = title
    else if (commands) blocks.push({ heading, commands })
  }
  return blocks
}

/**
 * One script with all commands of the guide as they stand. Only the values of the first block are replaced: they are what
 * an operator chooses.
 */
export function guideScript(values: Record<string, string>): string {
  const [choices, ...rest] = readGuide()
  if (!choices) throw new Error('docs/install.md has no sh blocks.')
  const names = [...choices.commands.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => String(name))
  const unknown = Object.keys(values).filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`The first block of docs/install.md does not set ${unknown.join(', ')}.`)
  const chosen = Object.entries(values).map(([name, value]) => `${name}='${value}'\n`)
  const steps = rest.map(({ heading, commands }) => `printf '\\n▶ %s\\n' '${heading}'\n${commands}`)
  return ['set -euo pipefail\n', choices.commands, ...chosen, ...steps, 'echo "first post: $POST_ID"\n'].join('')
}
