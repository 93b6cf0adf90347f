import assert from 'node:assert/strict'
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSiteTree } from './site-tree.ts'

test('processes that start at the same time on a plain folder create one tree, and none fails', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-trees-'))
  try {
    for (let round = 0; round < 50; round++) {
      const name = `site-${round}`
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, name, 'robots.txt'), 'kept')
      await Promise.all(Array.from({ length: 4 }, () => openSiteTree(folder, name)))
      assert.ok(lstatSync(join(folder, name)).isSymbolicLink())
      assert.equal(readFileSync(join(folder, name, 'robots.txt'), 'utf8'), 'kept')
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
