import type { ProblemCode } from '../../contract/problems/problems.ts'
import type { Kind } from '../../kinds/index.ts'

/** Hints for a client that decides whether a model may call the tool; see the protocol's tool annotations. */
type Hints = {
  readOnlyHint: boolean
  destructiveHint: boolean
  idempotentHint: boolean
  openWorldHint: boolean
}

/** A tool is an operation with part of its input fixed. Texts use the server's `{kind}`, `{noun}` and `{plural}`. */
export type ToolEntry = {
  name: string
  /** Id of the operation that the tool calls. */
  operation: string
  title: string
  /** What the tool does, in one line, for people who read the list of tools. */
  summary: string
  /** What the tool does, for a model that decides whether to call it. */
  does: string
  costs: (kinds: readonly Kind[]) => string
  /** Whether the call can be undone; omitted for tools that change nothing. */
  undo?: string
  hints: Hints
  /** Input that is the same in every call and is not an argument. */
  fixed?: { query?: Record<string, string>; body?: Record<string, unknown> }
  /** Problems of the operation that the fixed input rules out. */
  cannotMeet?: readonly ProblemCode[]
  /** The tool returns text that a model must not follow, although no user wrote it. */
  quotesAbuse?: true
  /** Whether the site for this kind has the operation; omitted if every site has it. */
  isOffered?: (kind: Kind) => boolean
  /** The server for all sites does not have it: its callers have an account. */
  onlyOnSites?: true
  /**
   * The argument that tells the server for all sites which site a call is for: `kind`, which only that server has, or the
   * id of a post. Omitted if the site makes no difference.
   */
  siteBy?: 'kind' | 'id' | 'post_id'
  /** The tool that describes the same fields. This one lists them without their descriptions, and says so. */
  fieldsAsIn?: string
  /** Query parameters with a different default than over HTTP. */
  defaults?: Record<string, { value: number; description: string }>
}

export const reads: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
export const readsPosts: Hints = { ...reads, openWorldHint: true }
export const adds: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true }
export const removes: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }

export const free = () => 'Free.'
