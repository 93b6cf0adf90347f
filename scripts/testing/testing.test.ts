import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeChange, testsOf } from './changed.ts'
import { allTestFiles, featuresOf, selectFiles } from './select-files.ts'

const files = allTestFiles()

test('a feature has the tests of all folders of its name', () => {
  const found = selectFiles('search')
  for (const folder of ['src/search/', 'test/search/', 'test/journeys/search/'])
    assert.ok(
      found.some((file) => file.startsWith(folder)),
      folder,
    )
  assert.ok(found.every((file) => file.includes('search/')))
})

test('every test file belongs to a feature', () => {
  const inFeatures = new Set([...featuresOf(files).values()].flat())
  assert.deepEqual(
    files.filter((file) => !inFeatures.has(file) && file.split('/').length > 2),
    [],
  )
})

test('a file is found by its path, or by its name alone; a folder by its path', () => {
  const file = 'test/journeys/webhooks/webhook-retries.test.ts'
  for (const word of [file, 'webhook-retries']) assert.deepEqual(selectFiles(word), [file])
  assert.ok(selectFiles('src/http').length > 5)
})

test('a wrong name is refused with the closest one', () => {
  assert.throws(() => selectFiles('serch'), {
    message: "Unknown feature, folder or file 'serch'. Did you mean 'search'?",
  })
})

/** Without this file, which names the changed ones. */
const affectedBy = (...changed: string[]) => testsOf(changed).tests.filter((file) => !import.meta.url.endsWith(file))

test('a change of a kind affects the tests of other folders that its new field breaks', () => {
  const affected = affectedBy('src/kinds/message/kind.ts')
  for (const file of [
    'src/kinds/message/kind.test.ts',
    'test/mcp/tool-lists.test.ts',
    'test/search/filters.test.ts',
    'test/sites/hostile-post.test.ts',
  ])
    assert.ok(affected.includes(file), file)
  assert.ok(affected.length < files.length * 0.7)
})

test('the closest tests come first, and a test that does not reach the change does not come', () => {
  const affected = affectedBy('src/webhooks/delivery-policy.ts')
  assert.equal(affected[0], 'src/webhooks/delivery/attempts.test.ts')
  assert.ok(affected.includes('test/journeys/webhooks/webhook-retries.test.ts'))
  assert.ok(!affected.includes('src/kinds/message/kind.test.ts'))
  assert.equal(affectedBy('src/kinds/message/kind.test.ts')[0], 'src/kinds/message/kind.test.ts')
})

test('a change of a file that tests read without importing it affects them', () => {
  const expected = {
    'docs/runbooks/posts.md': 'test/structure.test.ts',
    'generated/messages/openapi.json': 'test/sites/document-pages.test.ts',
    'deploy/systemd/broadside-api.service': 'test/operations/units.test.ts',
    'clients/python/src/broadside/_client.py': 'test/clients/python.test.ts',
    'model/weights/moderation.json': 'model/eval/scoreboard/check-scoreboard.test.ts',
    'src/bin/commands/operator/search.ts': 'test/operations/operator.test.ts',
  }
  for (const [path, file] of Object.entries(expected)) assert.ok(affectedBy(path).includes(file), `${path} → ${file}`)
})

test('a change on which everything depends runs all tests, and is named', () => {
  const change = testsOf(['docs/testing.md', 'migrations/0001_identifiers_and_money.sql'])
  assert.deepEqual(change.tests.toSorted(), files)
  assert.match(describeChange(change), /^Everything depends on migrations\/0001_.*: all \d+ test files run\.$/)
})
