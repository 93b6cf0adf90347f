import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bump, type Category, changesetFolder, changesetPackage, parseChange } from './changesets.ts'

type NewChange = { bump: Bump; category: Category; text: string }

/** Writes a pending change to a file named after its first words. Returns its path in the repository. */
export function addChangeset(root: string, { bump, category, text }: NewChange): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? ['change']
  const file = `${changesetFolder}/${words.slice(0, 5).join('-')}.md`
  if (existsSync(join(root, file))) throw new Error(`${file} exists already. Edit it, or begin with other words.`)
  const content = `---\n${changesetPackage}: ${bump}\n---\n\n### ${category}\n\n- ${text}\n`
  parseChange(file, content)
  writeFileSync(join(root, file), content)
  return file
}
