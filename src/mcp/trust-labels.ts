const untrusted = { 'io.modelcontextprotocol/trust-annotations': { untrusted: true } }

/**
 * What is said of text that users wrote, wherever a client may look for it. The first is a draft of the protocol's own,
 * the others are ours and stay if it changes.
 */
export const labels = {
  /** On the definition of a tool that returns such text. */
  tool: { 'broadside/untrustedContentHint': true },
  /** On its results. */
  result: { ...untrusted, 'broadside/content_trust': 'untrusted-user-content' },
  /** On the block of text in a result. */
  block: untrusted,
} as const
