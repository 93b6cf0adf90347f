import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readChangesets } from '../release/version/changesets.ts'

export const versioningPage = 'src/documents/pages/texts/versioning.md'
export const versioningHeading = '## Breaking changes'

/** What the changelog and the versioning page say about changes since the last release. */
export type Texts = { changelog: string; versioning: string }

/**
 * The text of pending changes that are `major`, or of the changelog's sections that are newer than the snapshot by a
 * major version, and the section of the versioning page.
 */
export function readTexts(root: string, since: string): Texts {
  const pending = readChangesets(root).filter(({ bump }) => bump === 'major')
  const released = sectionsSince(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), since)
  const page = readFileSync(join(root, versioningPage), 'utf8')
  return {
    changelog: [...pending.flatMap(({ notes }) => Object.values(notes)), ...released].join('\n'),
    versioning: page.split(/^(?=## )/m).find((section) => section.startsWith(`${versioningHeading}\n`)) ?? '',
  }
}

export function sectionsSince(changelog: string, since: string): string[] {
  const sections = changelog.split(/^(?=## )/m).slice(1)
  return sections.filter((section) => majorOf(section.slice(3)) > majorOf(since))
}

const majorOf = (version: string) => Number(version.split('.')[0])

/** Where a change is missing. An announcement has the id of the change in code quotes. */
export function missingIn(id: string, { changelog, versioning }: Texts): ('changelog' | 'versioning page')[] {
  const isNamedIn = (text: string) => text.includes(`\`${id}\``)
  return [
    ...(isNamedIn(changelog) ? [] : (['changelog'] as const)),
    ...(isNamedIn(versioning) ? [] : (['versioning page'] as const)),
  ]
}
