import { createHash } from 'node:crypto'
import { canonicalJson } from '../platform/canonical-json.ts'

/** The version of the entries' form. */
const version = 1

export const saltBytes = 32

/**
 * Commits to a document without telling it: without the salt, nobody can test a guess, and deleting the salt leaves a
 * hash of nothing.
 */
export const commitmentTo = (origin: string, salt: Buffer, document: unknown): Buffer =>
  createHash('sha256').update(`${origin}/commit/v1\n`).update(salt).update(canonicalJson(document)).digest()

export type CommittedType = 'post' | 'edit' | 'decision' | 'audit'

export const committedEntry = (type: CommittedType, commitment: Buffer): string =>
  canonicalJson({ c: commitment.toString('base64url'), t: type, v: version })

/** The post or edit with this index is no longer public. */
export const removedEntry = (index: number): string => canonicalJson({ i: index, t: 'removed', v: version })

/**
 * What an entry of the audit log's head commits to. The log notes a head for almost each row, and keeps it: a guessed row
 * could be tested against a plain hash. The transparency page shows only one head a day.
 */
export const auditHeadFacts = ({ position, hash }: { position: number; hash: string }) => ({ h: hash, n: position })
