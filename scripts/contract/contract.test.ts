import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { repoDir } from '../../tooling/services/state.ts'
import { compareContracts } from './compare/compare-contracts.ts'
import { contractsOf, readSources } from './extract/read-contracts.ts'
import { isRefused, review } from './report.ts'
import { breakingSeeds } from './seeds/breaking.ts'
import { breakingClientSeeds } from './seeds/breaking-clients.ts'
import { compatibleSeeds } from './seeds/compatible.ts'
import { plant, twoSites } from './seeds/seed.ts'

const sources = twoSites(readSources(repoDir))
const before = contractsOf(sources)
const breaking = [...breakingSeeds, ...breakingClientSeeds]
const planted = plant([...breaking, ...compatibleSeeds], sources, before)
const unannounced = { changelog: '', versioning: '' }

const findingsOf = (seed: (typeof breaking)[number]) =>
  review(compareContracts(before, planted.get(seed)?.() ?? before), unannounced)

suite('each breaking change is refused with its place', () => {
  for (const seed of breaking)
    test(seed.name, () => {
      const refused = findingsOf(seed).filter(isRefused)
      assert.deepEqual(
        refused.map(({ id }) => id),
        seed.changes,
      )
    })
})

suite('each compatible change is accepted and named', () => {
  for (const seed of compatibleSeeds)
    test(seed.name, () => {
      const findings = findingsOf(seed)
      assert.deepEqual(findings.filter(isRefused), [])
      assert.deepEqual(
        findings.map(({ id }) => id),
        seed.changes,
      )
    })
})
