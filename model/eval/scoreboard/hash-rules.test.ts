import assert from 'node:assert/strict'
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../../tooling/services/state.ts'
import { hashRules, ruleFiles } from './hash-rules.ts'

test('a changed rule, phrase, canonical text, threshold or table gives another version; a changed test does not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-rules-'))
  try {
    for (const path of ruleFiles) cpSync(join(repoDir, path), join(folder, path), { recursive: true })
    const before = hashRules(folder)
    assert.match(before, /^[0-9a-f]{12}$/)
    assert.equal(before, hashRules())
    appendFileSync(join(folder, 'src/moderation/rules/fold.test.ts'), '\n')
    assert.equal(hashRules(folder), before)
    const seen = new Set([before])
    for (const path of [
      'src/moderation/rules/measures.ts',
      'src/policy/signals/harm.ts',
      'src/moderation/pipeline/canonicalise.ts',
      'src/moderation/decisions/thresholds.json',
      'src/moderation/decisions/decision-table.ts',
    ]) {
      appendFileSync(join(folder, path), '\n')
      seen.add(hashRules(folder))
    }
    assert.equal(seen.size, 6)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
