import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../tooling/services/state.ts'
import { read, tracked } from '../support/repository.ts'
import { brokenLinks } from './markdown-links.ts'
import { faultsOfReadme } from './readme-rules.ts'

const repository = { files: tracked, read, bytesOf: (path: string) => statSync(join(repoDir, path)).size }
const readme = read('README.md')

test('the README is short, runs the commands of the recording, shows its pictures and proves its figures', () => {
  assert.deepEqual(faultsOfReadme(readme, repository), [])
  assert.deepEqual(brokenLinks('README.md', readme, repository), [])
})

/** Each fault replaces the first text by the second. */
const faults: readonly (readonly [from: string | RegExp, to: string, message: RegExp])[] = [
  ['## Links', '\n'.repeat(120), /has \d+ lines; the limit is 120/],
  ['npm run account\n', '', /has 4 commands/],
  ['npm run account\n', 'npm run acount\n', /no script acount/],
  ['scripts/setup --minimal', 'scripts/setup', /five-commands\.svg shows other commands/],
  ['The ferry to Hiiumaa', 'A ferry to Hiiumaa', /five-commands-still\.svg shows other commands/],
  ['sites-dark.webp', 'sites-black.webp', /no picture docs\/images\/sites-black\.webp/],
  ['five-commands.svg', 'four-commands.svg', /no picture docs\/images\/four-commands\.svg/],
  [/alt="The front[^"]*"/, '', /sites-light\.webp needs a text/],
  [/alt="A recording[^"]*"/, 'alt="terminal"', /five-commands\.svg needs a text/],
  [/<source media="\(prefers-reduced-motion[^>]*>/, '', /both recordings/],
  ['killed 200 times', 'killed 250 times', /when-processes-die does not have the figure 250/],
  ['93.9 %', '98.9 %', /the-sealed-third does not have the figure 98\.9/],
  ['#when-processes-die', '#charges', /does not have the figure 200/],
  ['[Measured](docs/moderation.md#the-sealed-third)', 'Measured', /does not say where it was measured/],
  ['**0.15 ms', '0.15 ms', /has 2 figures/],
]
for (const [from, to, message] of faults)
  test(`the README is refused with ${JSON.stringify(to).slice(0, 60)} for ${String(from)}`, () => {
    const wrong = readme.replace(from, () => to)
    assert.notEqual(wrong, readme)
    assert.match(faultsOfReadme(wrong, repository).join('\n'), message)
  })

test('a picture that is too large is refused', () => {
  const faultsOfLarge = faultsOfReadme(readme, { ...repository, bytesOf: () => 150_001 })
  assert.match(faultsOfLarge.join('\n'), /sites-light\.webp has 150001 bytes/)
})

test('the post of the README is the one of the guide, whose posts are tested to be published', () => {
  const text = /post message --text "([^"]+)"/.exec(readme)?.[1]
  assert.ok(text && read('docs/local-http.md').includes(`{"text": "${text}"`))
})

test('every page and picture in docs is linked from another page', () => {
  const pages = tracked.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md')
  const targets = new Set(
    pages.flatMap((path) =>
      [...read(path).matchAll(/\]\(<?([^)\s>#]+)|\b(?:src|srcset)="([^"]+)"/g)]
        .map(([, link, picture]) => posix.join(dirname(path), link ?? picture ?? ''))
        .filter((target) => target !== path),
    ),
  )
  const unlinked = tracked
    .filter((path) => /^docs\/(?:[^/]+\.md|images\/)/.test(path))
    .filter((path) => !targets.has(path))
  assert.deepEqual(unlinked, [])
})
