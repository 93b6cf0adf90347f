/** Verifies posts and the transparency log. Runs in Node and in browsers, without the service. */
export { canonicalJson } from './canonical-json.ts'
export { type Checkpoint, openCheckpoint } from './log/checkpoint.ts'
export { parseVerifierKey, type VerifierKey } from './log/signed-note.ts'
export { type ReadFile, TileReader } from './log/tiles.ts'
export { checkConsistency, checkInclusion, hashLeaf, type Tree } from './log/tree.ts'
export { Refusal, type RefusalCode } from './refusal.ts'
export { type Fetch, postAddresses, type ReadLimits, readUrl } from './sources.ts'
export { type Json, type JsonObject, parseStrictJson } from './strict-json.ts'
export {
  type Check,
  type CheckName,
  type Verification,
  type VerifiedFacts,
  type VerifyInput,
  verifyPost,
} from './verify-post.ts'
