const untrusted = { 'io.modelcontextprotocol/trust-annotations': { untrusted: true } }

/**
 * Labels for user text, in every place where a client may look. The label `untrusted` is from a draft of the protocol.
 * The labels that start with `broadside/` are ours and stay if the draft changes.
 */
export const labels = {
  /** On the definition of a tool that returns user text. */
  tool: { 'broadside/untrustedContentHint': true },
  /** On its results. */
  result: { ...untrusted, 'broadside/content_trust': 'untrusted-user-content' },
  /** On the block of text in a result. */
  block: untrusted,
} as const
