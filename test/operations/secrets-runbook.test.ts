import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { secretSettings } from '../../src/platform/settings/secret-settings.ts'
import { repoDir } from '../../tooling/services/state.ts'

test('the runbook says for each secret who reads it and how to rotate it', () => {
  const runbook = readFileSync(join(repoDir, 'docs/runbooks/secrets.md'), 'utf8')
  const rows = [...runbook.matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \| (.+) \|$/gm)]
  assert.deepEqual(rows.map(([, name]) => name).sort(), [...secretSettings].sort())
})
