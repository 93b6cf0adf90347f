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

/** What each file must say. */
const needed: Record<string, readonly RegExp[]> = {
  'CODE_OF_CONDUCT.md': [/Contributor Covenant, version 2\.1/, /conduct@broadside\.example/, /^## Reporting$/m],
  'SUPPORT.md': [/SECURITY\.md/, /issues\/new\/choose/, /CODE_OF_CONDUCT\.md/],
  'ROADMAP.md': [/^## Planned\n\n\| What \| Why \| Today \|$/m, /^## Not planned$/m],
  'SECURITY.md': [/security@broadside\.example/],
  'CONTRIBUTING.md': [/npm run ci/],
  'NOTICE.md': [/Apache License 2\.0/],
  LICENSE: [/Apache License/],
  '.github/PULL_REQUEST_TEMPLATE.md': [/npm run ci/, /npm run generate/, /\.changeset\//],
}

function faultsOfCommunityFile(path: string, text: string): string[] {
  const addresses = [...text.matchAll(/[\w.+-]+@([\w-]+(?:\.[\w-]+)+)/g)].map(([address, domain]) => ({
    address,
    domain,
  }))
  const emptyCells = [...text.matchAll(/^\|.*\| *\|.*$/gm)].map(([row]) => row)
  return [
    ...(needed[path] ?? []).filter((pattern) => !pattern.test(text)).map((pattern) => `${path} lacks ${pattern}.`),
    ...addresses
      .filter(({ domain }) => domain !== 'broadside.example')
      .map(({ address }) => `${path}: ${address} is not an address of the project.`),
    ...emptyCells.map((row) => `${path} has an empty cell: ${row}`),
  ]
}

test('the repository has what a forge looks for, and each file says where to go', () => {
  for (const path of Object.keys(needed)) assert.deepEqual(faultsOfCommunityFile(path, read(path)), [], path)
})

for (const [path, from, to, message] of [
  ['CODE_OF_CONDUCT.md', 'conduct@broadside.example', 'conduct@broadsite.example', /not an address of the project/],
  ['CODE_OF_CONDUCT.md', 'Contributor Covenant, version 2.1', 'our manners', /lacks .*Contributor Covenant/],
  ['SUPPORT.md', 'issues/new/choose', 'issues', /lacks .*new/],
  ['SUPPORT.md', '(SECURITY.md)', '(SECURTY.md)', /SUPPORT\.md: SECURTY\.md/],
  ['ROADMAP.md', '## Not planned', '## Later', /lacks .*Not planned/],
  ['ROADMAP.md', "They were checked with GitHub's parser, but have never run.", '', /empty cell: \| A first run/],
  ['ROADMAP.md', 'docs/model-card.md', 'docs/model-cards.md', /ROADMAP\.md: docs\/model-cards\.md/],
  ['SECURITY.md', 'security@broadside.example', 'security@example.com', /not an address of the project/],
  ['.github/PULL_REQUEST_TEMPLATE.md', 'npm run ci', 'npm test', /lacks .*npm run ci/],
] as const)
  test(`${path} is refused with ${JSON.stringify(to)} for ${from}`, () => {
    const wrong = read(path).replaceAll(from, to)
    assert.notEqual(wrong, read(path))
    assert.match([...faultsOfCommunityFile(path, wrong), ...brokenLinks(path, wrong, repository)].join('\n'), message)
  })

test('every file for the forge is checked by a test of this folder', () => {
  const tests = tracked
    .filter((path) => /^test\/forge\/.*\.ts$/.test(path))
    .map(read)
    .join('\n')
  const uncovered = tracked
    .filter((path) => /^(?:\.github|\.devcontainer)\//.test(path))
    .filter((path) => !/^\.github\/(?:workflows|actions|ISSUE_TEMPLATE)\//.test(path) && !tests.includes(path))
  assert.deepEqual(uncovered, [])
  // These folders are read as a whole; another kind of file in them would not be.
  const folders = tracked.filter((path) => /^\.github\/(?:workflows|actions|ISSUE_TEMPLATE)\//.test(path))
  assert.deepEqual(
    folders.filter((path) => !path.endsWith('.yml')),
    [],
  )
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
