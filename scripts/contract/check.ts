import { CommandError } from '../../src/bin/command.ts'
import { readOptions } from '../../tooling/script-options.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { currentVersion } from '../release/version/places.ts'
import { readTexts } from './announcements.ts'
import { compareContracts } from './compare/compare-contracts.ts'
import type { Contracts } from './contract.ts'
import { contractsOf, readSources } from './extract/read-contracts.ts'
import { describeFindings, isRefused, review } from './report.ts'
import { isNewer, readSnapshot, type Snapshot, snapshotFolder, writeSnapshot } from './snapshot.ts'

const again = 'npm run contract -- record'

/** Prints what changed since the last release, and fails if a breaking change is not announced. */
export function runCheck(args: string[]): void {
  readOptions(args, {})
  const snapshot = readSnapshot(repoDir)
  if (!snapshot) throw new CommandError(`${snapshotFolder} has no release. Run \`${again}\`.`)
  const version = currentVersion(repoDir)
  if (isNewer(version, snapshot.version))
    throw new CommandError(`This is ${version}, and ${snapshotFolder} has ${snapshot.version}. Run \`${again}\`.`)
  compare(snapshot, contractsOf(readSources(repoDir)))
}

/** Records the contracts of this version. The next versions are compared with them. */
export function runRecord(args: string[]): void {
  readOptions(args, {})
  const [snapshot, version] = [readSnapshot(repoDir), currentVersion(repoDir)]
  if (snapshot && !isNewer(version, snapshot.version))
    throw new CommandError(
      `${snapshotFolder} has ${snapshot.version} already. Record after \`npm run release -- version\`, which sets the next version.`,
    )
  const contracts = contractsOf(readSources(repoDir))
  if (snapshot) compare(snapshot, contracts)
  if (process.exitCode) return
  writeSnapshot(repoDir, { version, contracts })
  console.log(`Recorded ${version} in ${snapshotFolder}.`)
}

function compare(snapshot: Snapshot, contracts: Contracts): void {
  const findings = review(compareContracts(snapshot.contracts, contracts), readTexts(repoDir, snapshot.version))
  const isFaulty = findings.some(isRefused)
  if (isFaulty) process.exitCode = 1
  const text = describeFindings(findings, snapshot.version)
  if (isFaulty) console.error(text)
  else console.log(text)
}
