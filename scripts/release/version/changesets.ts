import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseChangesetFile } from '@changesets/parse'

/** The categories of Keep a Changelog, in the order of a section. */
export const categories = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const
export const bumps = ['major', 'minor', 'patch'] as const

export type Category = (typeof categories)[number]
export type Bump = (typeof bumps)[number]
/** A change that waits for the next release. */
export type Changeset = { file: string; bump: Bump; notes: Partial<Record<Category, string>> }

export const changesetFolder = '.changeset'
/** All packages have one version, so a changeset names only this one. */
export const changesetPackage = 'broadside'

/** The pending changes, by file name. */
export function readChangesets(root: string): Changeset[] {
  const folder = join(root, changesetFolder)
  const files = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md')
  return files.sort().map((name) => parseChange(`${changesetFolder}/${name}`, readFileSync(join(folder, name), 'utf8')))
}

/** Throws with the name of the file and what is wrong. */
export function parseChange(file: string, text: string): Changeset {
  const { releases, summary } = parse(file, text)
  const [release, ...others] = releases
  const bump = bumps.find((name) => name === release?.type)
  if (!bump || others.length > 0 || release?.name !== changesetPackage)
    throw new Error(`${file} must name one package with one bump: “${changesetPackage}: minor”, major or patch.`)
  const [before = '', ...parts] = summary.trim().split(/^### /m)
  if (before !== '' || parts.length === 0)
    throw new Error(`${file} must begin with a category: ${categories.map((name) => `“### ${name}”`).join(', ')}.`)
  const notes = Object.fromEntries(parts.map((part) => readCategory(file, part)))
  return { file, bump, notes }
}

function parse(file: string, text: string) {
  try {
    return parseChangesetFile(text)
  } catch (error) {
    throw new Error(`${file} is not a changeset.`, { cause: error })
  }
}

function readCategory(file: string, part: string): [Category, string] {
  const [heading = '', ...lines] = part.split('\n')
  const category = categories.find((name) => name === heading.trim())
  if (!category) throw new Error(`${file}: “${heading.trim()}” is none of ${categories.join(', ')}.`)
  const notes = lines.join('\n').trim()
  if (!notes.startsWith('- ')) throw new Error(`${file}: the notes under “${category}” must be a list.`)
  return [category, notes]
}

/** The version after these changes: the largest bump counts. */
export function nextVersion(current: string, changesets: readonly Pick<Changeset, 'bump'>[]): string {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number)
  const largest = bumps.find((bump) => changesets.some((change) => change.bump === bump))
  if (!largest) throw new Error('No change is pending.')
  const next = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] }
  return next[largest].join('.')
}

/** The section of a release, by category. */
export function renderSection(version: string, date: string, changesets: readonly Changeset[]): string {
  const parts = categories.flatMap((category) => {
    const notes = changesets.flatMap((change) => change.notes[category] ?? [])
    return notes.length > 0 ? [`### ${category}\n\n${notes.join('\n')}\n`] : []
  })
  return `## ${version} - ${date}\n\n${parts.join('\n')}`
}

/** Puts the section before the newest release, or at the end if there is none. */
export function addSection(changelog: string, section: string): string {
  const at = changelog.search(/^## /m)
  if (at < 0) return `${changelog.trimEnd()}\n\n${section}`
  return `${changelog.slice(0, at)}${section}\n${changelog.slice(at)}`
}
