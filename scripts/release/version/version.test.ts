import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../../tooling/services/state.ts'
import { addSection, nextVersion, parseChange, readChangesets, renderSection } from './changesets.ts'
import { currentVersion, versionsIn } from './places.ts'

const changelog = readFileSync(join(repoDir, 'CHANGELOG.md'), 'utf8')
const change = (text: string) => parseChange('.changeset/one.md', text)
const added = '---\nbroadside: minor\n---\n\n### Added\n\n- **One.** Text.\n'

test('every file names the same version', () => {
  const version = currentVersion(repoDir)
  assert.deepEqual(
    versionsIn(repoDir).filter((place) => place.version !== version),
    [],
  )
})

test('each section of the changelog has a date, the newest is of the current version, and none is before 1.0.0', () => {
  const headings = changelog.match(/^## .*$/gm) ?? []
  for (const heading of headings) assert.match(heading, /^## \d+\.\d+\.\d+ - \d{4}-\d\d-\d\d$/)
  const [newest] = headings
  if (newest === undefined) assert.match(currentVersion(repoDir), /^0\./)
  else assert.ok(newest.startsWith(`## ${currentVersion(repoDir)} - `), newest)
  const dates = headings.map((heading) => heading.slice(-10))
  assert.deepEqual(dates, dates.toSorted().reverse())
})

test('the pending changes are well-formed', () => {
  for (const { file, bump } of readChangesets(repoDir)) assert.ok(bump, file)
})

test('a faulty changeset is refused with its name and the reason', () => {
  const faults: [text: string, reason: RegExp][] = [
    ['### Added\n\n- One.\n', /one\.md is not a changeset/],
    [added.replace('minor', 'huge'), /one\.md is not a changeset/],
    [added.replace('minor', 'none'), /one\.md must name one package/],
    [added.replace('broadside', 'other'), /one\.md must name one package/],
    [added.replace('### Added\n\n', ''), /one\.md must begin with a category/],
    [added.replace('Added', 'New'), /one\.md: “New” is none of Added, /],
    [added.replace('- **', '**'), /one\.md: the notes under “Added” must be a list/],
  ]
  for (const [text, reason] of faults) assert.throws(() => change(text), reason)
})

test('the largest pending change decides the next version', () => {
  const after = (...bumps: ('major' | 'minor' | 'patch')[]) =>
    nextVersion(
      '1.2.3',
      bumps.map((bump) => ({ bump })),
    )
  assert.equal(after('patch', 'patch'), '1.2.4')
  assert.equal(after('patch', 'minor'), '1.3.0')
  assert.equal(after('minor', 'major', 'patch'), '2.0.0')
  assert.throws(() => after(), /No change is pending/)
})

test('pending changes become a section with a date, by category', () => {
  const fixed = change(
    '---\nbroadside: patch\n---\n\n### Fixed\n\n- **Two.** Text.\n- **Three.** Text.\n\n### Added\n\n- Four.\n',
  )
  const section = renderSection('1.1.0', '2026-12-01', [fixed, change(added)])
  assert.equal(
    section,
    '## 1.1.0 - 2026-12-01\n\n### Added\n\n- Four.\n- **One.** Text.\n\n### Fixed\n\n- **Two.** Text.\n- **Three.** Text.\n',
  )
  const before = '# Changelog\n\nIntroduction.\n\n'
  assert.equal(
    addSection(`${before}## 1.0.0 - 2026-11-19\n\n- Old.\n`, section),
    `${before}${section}\n## 1.0.0 - 2026-11-19\n\n- Old.\n`,
  )
  assert.equal(addSection(before, section), `${before}${section}`)
})
