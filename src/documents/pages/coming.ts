/**
 * Facts of what is specified and not built yet. Each part goes when its feature brings a registry of its own, which the
 * pages then read.
 */

// TODO(#8): read this from src/contract/limits.ts.
export const comingLimits = [
  {
    operations: 'POST /v1/relay',
    countedPer: 'account',
    max: 20,
    afterwards: '429 rate_limited until 00:00 UTC',
  },
] as const

// TODO(#7): read these from src/mcp.
export const mcpRevisions = ['2026-07-28', '2025-11-25'] as const

/** Each tool with the operation that it calls. `{kind}` is the noun of the site. */
export const mcpTools = [
  ['check_{kind}', 'Tries a post: rules, price, balance. Charges nothing.'],
  ['publish_{kind}', 'Submits a post. Takes `idempotency_key` as an argument.'],
  ['search_posts', 'Searches all four sites.'],
  ['browse_posts', 'Lists the newest posts of this site.'],
  ['get_post', 'Reads a post; with your key, the status record of your own.'],
  ['edit_post', 'Changes a published post of yours.'],
  ['delete_post', 'Deletes a post of yours, for good.'],
  ['appeal_post', 'Asks a person to look at a refusal again.'],
  ['report_post', 'Reports a post that breaks the policy.'],
  ['create_account', 'Creates an account and returns its key once.'],
  ['get_account', 'Balance, standing and a fresh link for the owner.'],
  ['turn_off_auto_recharge', 'Turns auto-recharge off.'],
  ['request_account_deletion', 'Asks the owner to confirm deletion.'],
  ['list_webhooks', 'Lists your webhook endpoints.'],
  ['create_webhook', 'Registers an endpoint and returns its secret once.'],
  ['test_webhook', 'Sends a signed test event.'],
  ['delete_webhook', 'Deletes an endpoint and stops its deliveries.'],
  ['get_status', 'Whether the service is up and the model runs.'],
  ['get_pricing', 'The prices.'],
  ['get_policy', 'The policy.'],
] as const
