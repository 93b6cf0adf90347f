import { fixtureLog, genuineCases } from './fixture-cases.ts'
import { keysDocument, testPost } from './test-posts.ts'

/** A genuine post with one part replaced, in a way that two programs could judge differently. */
export type HostileInput = {
  about: string
  /** `checkpoint` is the current one of the log. */
  file: 'post.json' | 'post.tlog-proof' | 'keys.json' | 'checkpoint'
  /** What is replaced, where it first occurs, and by what. */
  from: string
  to: string
  /** The replacement in hexadecimal, if it is not text. `to` is empty then. */
  to_hex?: string
  /** The names of the logs that the site had at an earlier visit. */
  seen_logs?: string[]
  /** The signed checkpoint of the log at an earlier visit. */
  last_visit?: string
  /** The first check that fails, and why; null if none does. */
  first_failed: string | null
  code: string | null
}

/** The post that all of them change. */
export const hostileFolder = 'genuine/first-entry'
export const post = testPost(1)
export const keys = keysDocument()
export const log = keys.logs[0]!
export const tree = fixtureLog()
export const proof = String(genuineCases(tree)[0]?.proof)
export const checkpoint = tree.checkpoint()

export const text = (value: unknown) => JSON.stringify(value)
export const input = (
  about: string,
  file: HostileInput['file'],
  from: string,
  to: string,
  first_failed: string | null,
  code: string | null,
): HostileInput => ({ about, file, from, to, first_failed, code })

export const inKeys = (about: string, from: string, to: string, code: string | null, check: string | null = 'key') =>
  input(about, 'keys.json', from, to, code && check, code)
