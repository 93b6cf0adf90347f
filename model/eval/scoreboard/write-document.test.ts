import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../../tooling/services/state.ts'
import { readScoreboard } from './scoreboard.ts'
import { figuresDocument } from './write-document.ts'

test('the document shows only the committed figures', () => {
  const scoreboard = readScoreboard()
  assert.ok(scoreboard, 'there is no scoreboard')
  const shown = readFileSync(join(repoDir, 'docs/moderation.md'), 'utf8')
  assert.ok(shown.includes(figuresDocument(scoreboard)), 'run `npm run eval -- moderation --write`')
})
