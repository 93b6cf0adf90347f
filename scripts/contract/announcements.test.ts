import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../tooling/services/state.ts'
import { readTexts, sectionsSince, versioningHeading, versioningPage } from './announcements.ts'
import { describeFindings, isRefused, review } from './report.ts'

const id = 'openapi: GET /v1/places: removed'
const change = { id, breaking: true, notice: 'A caller that uses it fails.' }
const line = `- \`${id}\`: use \`GET /v1/search\` instead.`

type Announced = { changelog?: string; versioning?: string; bump?: string }

/** The findings in a repository with these announcements. */
function findings({ changelog, versioning, bump = 'major' }: Announced) {
  const root = mkdtempSync(join(tmpdir(), 'broadside-announcements-'))
  try {
    for (const file of ['CHANGELOG.md', versioningPage]) {
      mkdirSync(join(root, file, '..'), { recursive: true })
      cpSync(join(repoDir, file), join(root, file))
    }
    mkdirSync(join(root, '.changeset'))
    if (changelog)
      writeFileSync(join(root, '.changeset/one.md'), `---\nbroadside: ${bump}\n---\n\n### Removed\n\n${changelog}\n`)
    const page = readFileSync(join(root, versioningPage), 'utf8')
    if (versioning) writeFileSync(join(root, versioningPage), page.replace(versioningHeading, `$&\n\n${versioning}`))
    return review([change], readTexts(root, '1.0.0'))
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

test('a breaking change that only the changelog announces is refused', () => {
  assert.deepEqual(findings({ changelog: line })[0]?.missing, ['versioning page'])
})

test('a breaking change that only the versioning page announces is refused', () => {
  assert.deepEqual(findings({ versioning: line })[0]?.missing, ['changelog'])
})

test('a breaking change that both announce is accepted', () => {
  assert.equal(findings({ changelog: line, versioning: line }).some(isRefused), false)
})

test('a pending change that is not major announces no breaking change', () => {
  assert.deepEqual(findings({ changelog: line, versioning: line, bump: 'minor' })[0]?.missing, ['changelog'])
})

test('an announcement of another change does not count', () => {
  const other = line.replace('/v1/places', '/v1/place')
  assert.equal(findings({ changelog: other, versioning: other })[0]?.missing.length, 2)
})

test('a released section counts while the contracts of an older major version are recorded', () => {
  const changelog = `# Changelog\n\n## 2.0.0 - 2027-01-01\n\n${line}\n\n## 1.1.0 - 2026-12-01\n\n- Old.\n`
  assert.deepEqual(sectionsSince(changelog, '1.1.0'), [`## 2.0.0 - 2027-01-01\n\n${line}\n\n`])
  assert.deepEqual(sectionsSince(changelog, '2.0.0'), [])
})

test('the report names the place, what callers notice, and the lines that announce it', () => {
  const text = describeFindings(findings({}), '1.0.0')
  assert.match(text, /^Since 1\.0\.0: 1 breaking change, 0 compatible ones\./)
  assert.ok(text.includes(`BREAKING    ${id}\n            A caller that uses it fails.`), text)
  assert.ok(text.includes(`- \`${id}\`: what callers do instead.`), text)
  assert.ok(text.includes(versioningPage) && text.includes('npm run release -- change major'), text)
})
