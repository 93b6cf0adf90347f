import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageError } from '../../src/bin/command.ts'
import { aloneFiles } from './long-files.ts'
import { allTestFiles, featuresOf, selectFiles } from './select-files.ts'
import { groupsOfAll, groupsOfFeature } from './write-groups.ts'

const files = allTestFiles()

test('every test file runs once, in the whole run and in that of its feature', () => {
  assert.ok(files.length > 500)
  assert.deepEqual(groupsOfAll(files).flat().sort(), files)
  for (const own of featuresOf(files).values()) assert.deepEqual(groupsOfFeature(own).flat().sort(), own)
})

test('the longest file starts first', () => {
  const seconds = groupsOfAll(files).map(([file = '']) => aloneFiles[file] ?? 0)
  assert.ok((seconds[0] ?? 0) > 100)
  assert.deepEqual(
    seconds,
    seconds.toSorted((one, other) => other - one),
  )
})

test('every file that runs alone exists', () => {
  assert.deepEqual(
    Object.keys(aloneFiles).filter((file) => !files.includes(file)),
    [],
  )
})

test('a feature has the tests of all folders of its name', () => {
  const { files: found, isFeature } = selectFiles('search')
  assert.ok(isFeature)
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
  assert.deepEqual(selectFiles(file), { files: [file], isFeature: false })
  assert.deepEqual(selectFiles('webhook-retries'), { files: [file], isFeature: false })
  assert.ok(selectFiles('src/http').files.length > 5)
})

test('a wrong name is refused with the closest one', () => {
  const message = "Unknown feature, folder or file 'serch'. Did you mean 'search'?"
  assert.throws(
    () => selectFiles('serch'),
    (error) => error instanceof UsageError && error.message === message,
  )
  assert.throws(() => selectFiles('nothing-like-this'), { message: /^Unknown feature[^?]+\.$/ })
})
