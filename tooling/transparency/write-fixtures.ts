import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fixtureFiles, fixtureFolder } from './fixture-files.ts'

// Writes the genuine and forged posts for tests of verifiers: node tooling/transparency/write-fixtures.ts
const root = join(import.meta.dirname, '../..', fixtureFolder)
for (const folder of ['genuine', 'forged', 'log', 'forked-log'])
  rmSync(join(root, folder), { recursive: true, force: true })
for (const [path, content] of fixtureFiles()) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}
