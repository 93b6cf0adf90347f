import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../tooling/services/state.ts'
import { readSet } from './data/read-set.ts'
import { openServedModel } from './models/open-model.ts'
import { basisOf, readScoreboard, sectionDifferences } from './scoreboard/scoreboard.ts'

// `npm run eval -- moderation --check` measures again every night. From the same files the figures are the same.
test('the committed figures are of the current rules, policy, weights, thresholds and set', async () => {
  await using model = await openServedModel()
  const committed = readScoreboard()
  assert.ok(committed)
  const now = { ...basisOf(model), set_hash: readSet(join(repoDir, 'model/data')).hash }
  const changed = sectionDifferences({ ...committed, set_hash: committed.set.hash }, now)
  assert.deepEqual(changed, [], 'Run `npm run eval -- moderation --write`, review the changes, and commit them.')
  assert.ok(committed.attacks)
  assert.deepEqual(sectionDifferences(committed.attacks, now), [], 'Run `npm run eval -- attacks --write`.')
})
