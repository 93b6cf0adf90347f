import type { Fault } from './fault.ts'

const webhooks = 'test/journeys/webhooks/webhooks.test.ts'

/** Webhooks, outgoing connections, the stream and tools. */
export const deliveryFaults: readonly Fault[] = [
  {
    says: 'A webhook’s signature does not cover its time.',
    file: 'src/webhooks/secrets.ts',
    find: '.update(`${eventId}.${timestamp}.`)',
    replace: '.update(`${eventId}.`)',
    test: webhooks,
    name: 'a test event is delivered, signed and listed among the deliveries',
  },
  {
    says: 'An endpoint is sent events after the response to its deletion, because no worker learns of it.',
    file: 'src/webhooks/manage-webhooks.ts',
    find: ".set((row) => ({ deleted_at: at, changes: row('changes', '+', 1) }))",
    replace: '.set({ deleted_at: at })',
    test: 'test/journeys/webhooks/webhook-retries.test.ts',
    name: 'after the response to a deletion no connection is opened, not even for retries',
  },
  {
    says: 'An endpoint that never answered gets replays without limit.',
    file: 'src/webhooks/unproven-deliveries.ts',
    find: 'if (proven_at || wanted === 0) return wanted',
    replace: "if (proven_at || what === 'replay' || wanted === 0) return wanted",
    test: 'test/journeys/webhooks/unproven-endpoints.test.ts',
    name: 'a test that succeeds proves the endpoint: no limit applies, and what was held can be replayed',
  },
  {
    says: 'A delivery that is sent again has another webhook-id, so that a receiver handles it twice.',
    file: 'src/webhooks/delivery/attempts.ts',
    find: 'sign(keys, { eventId: due.event_id, at, body })',
    replace: 'sign(keys, { eventId: `${due.event_id}_${at.getTime()}`, at, body })',
    test: webhooks,
    name: 'every status change of a post is delivered with the same body that polling shows',
  },
  {
    says: 'A redirect counts as a delivery.',
    file: 'src/webhooks/delivery/attempts.ts',
    find: 'reaction.status < 300',
    replace: 'reaction.status < 400',
    test: webhooks,
    name: 'a redirect is a failure and is not followed',
  },
  {
    says: 'A name with a public and a private address is connected to.',
    file: 'src/platform/outbound-http/resolve-addresses.ts',
    find: 'addresses.some((address) => rules.findReserved(address) !== null)',
    replace: 'addresses.every((address) => rules.findReserved(address) !== null)',
    test: 'test/webhooks/outbound-addresses.test.ts',
    name: 'a name is refused at registration and again at the post',
  },
  {
    says: 'A part of the private network can be connected to.',
    file: 'src/platform/outbound-http/reserved-ranges.ts',
    find: "'172.16.0.0/12'",
    replace: "'172.16.0.0/16'",
    test: 'test/webhooks/outbound-addresses.test.ts',
    name: 'each is named, and the addresses next to it are public',
  },
  {
    says: 'A private stream has the events of other accounts.',
    file: 'src/stream/own-stream.ts',
    find: 'events.account_id = log.account_id and events.position >= log.after',
    replace: 'events.position >= log.after',
    test: 'test/stream/resume.test.ts',
    name: 'with scope=mine a key gets its own events, and resumes by their ids',
  },
  {
    says: 'The MCP tool that publishes only makes a dry run: nothing is published or charged.',
    file: 'src/mcp/tools/post-tools.ts',
    find: "fixed: { query: { dry_run: 'false' } }",
    replace: "fixed: { query: { dry_run: 'true' } }",
    test: 'test/journeys/posts/publish-by-tools.test.ts',
    name: 'on every site, the example of its kind is checked and published',
  },
  {
    says: 'An MCP tool that is called again with its idempotency key charges again.',
    file: 'src/mcp/tools/call-tool.ts',
    find: 'query: raw.query, idempotencyKey }',
    replace: 'query: raw.query, idempotencyKey: idempotencyKey && null }',
    test: 'test/mcp/shared-limits.test.ts',
    name: 'an idempotency key is shared by both interfaces: ten concurrent calls give one post and one charge',
  },
]
