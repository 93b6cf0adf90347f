import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { read, tracked } from '../support/repository.ts'
import { faultsOfCodeOwners } from './code-owners.ts'
import { anchorsOf, brokenLinks } from './markdown-links.ts'

const repository = { files: tracked, read }

test('every path in CODEOWNERS exists and has owners', () => {
  const owners = read('.github/CODEOWNERS')
  assert.deepEqual(faultsOfCodeOwners(owners, tracked), [])
  for (const [line, message] of [
    ['/src/legder/ @broadside-example/ledger', /\/src\/legder\/ matches no file/],
    ['/src/ledger/', /has no owner/],
    ['/src/ledger/ maintainers', /neither a user, a team nor an address/],
  ] as const)
    assert.match(faultsOfCodeOwners(`${owners}\n${line}\n`, tracked).join('\n'), message)
})

test('every relative link in Markdown leads to a file and a heading', () => {
  // The pages of the documentation link to addresses of the sites, and are tested there.
  const documents = tracked.filter((path) => path.endsWith('.md') && !/^(?:src\/documents|generated)\//.test(path))
  assert.ok(documents.length > 100)
  assert.deepEqual(
    documents.flatMap((path) => brokenLinks(path, read(path), repository)),
    [],
  )
  for (const [link, isBroken] of [
    ['[a](docs/nowhere.md)', true],
    ['[a](SUPPORT.md#nothing)', true],
    ['[a](#nothing)', true],
    ['[a](SUPPORT.md#what-helps-us-to-help-you)', false],
    ['[a](docs/)', false],
    ['`[a](nowhere.md)`', false],
    ['```\n[a](nowhere.md)\n```', false],
  ] as const)
    assert.equal(brokenLinks('README.md', link, repository).length > 0, isBroken, link)
})

test('anchors are those of GitHub', () => {
  assert.deepEqual(anchorsOf('# A `code`, and (more)\n## B\n## B\n### [Link](x.md)\n```\n# no heading\n```\n'), [
    'a-code-and-more',
    'b',
    'b-1',
    'link',
  ])
})

test('the repository has what a forge looks for, and each file says where to go', () => {
  const needed: Record<string, readonly RegExp[]> = {
    'CODE_OF_CONDUCT.md': [/conduct@broadside\.example/, /Contributor Covenant/],
    'SUPPORT.md': [/SECURITY\.md/, /issues\/new\/choose/],
    'ROADMAP.md': [/^## Planned$/m, /^## Not planned$/m],
    'SECURITY.md': [/security@broadside\.example/],
    'CONTRIBUTING.md': [/npm run ci/],
    LICENSE: [/Apache License/],
    '.github/PULL_REQUEST_TEMPLATE.md': [/npm run ci/, /npm run generate/, /CHANGELOG\.md/],
  }
  for (const [path, texts] of Object.entries(needed)) for (const text of texts) assert.match(read(path), text, path)
})

test('commands in templates and in the dev container exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const files = tracked.filter((path) => /^(?:\.github|\.devcontainer)\/|^(?:SUPPORT|ROADMAP)\.md$/.test(path))
  const named = files.flatMap((path) =>
    [...read(path).matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name),
  )
  assert.deepEqual(
    [...new Set(named)].filter((name) => !(name in scripts)),
    [],
  )
})

test('all files name the same repository', () => {
  const names = tracked
    .filter((path) => /^\.github\/|^[A-Z_]+\.md$/.test(path) && path !== 'CHANGELOG.md')
    .flatMap((path) => [...read(path).matchAll(/github\.com\/([\w-]+\/[\w-]+)\/(?:issues|discussions|security|blob)/g)])
    .map(([, name]) => name)
  assert.deepEqual([...new Set(names)], ['broadside-example/broadside'])
  const { contact_links: links } = parse(read('.github/ISSUE_TEMPLATE/config.yml')) as {
    contact_links: { url: string }[]
  }
  const files = links.flatMap(({ url }) => /\/blob\/main\/(.*)$/.exec(url)?.[1] ?? [])
  assert.deepEqual(
    files.filter((path) => !tracked.includes(path)),
    [],
  )
})
