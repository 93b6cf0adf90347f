import { keptFor } from '../../contract/retention/periods.ts'
import type { Kind } from '../../kinds/index.ts'
import { draftTools } from './draft-tools.ts'
import { postTools } from './post-tools.ts'
import { adds, free, reads, removes, type ToolEntry } from './tool-entry.ts'

/** Every tool of a server for these kinds. */
export const entriesOf = (kinds: readonly Kind[]): readonly ToolEntry[] =>
  toolEntries.filter(({ isOffered }) => !isOffered || kinds.some(isOffered))

/** In the order in which a new user needs them. Tool lists have the same order. */
export const toolEntries: readonly ToolEntry[] = [
  ...postTools,
  ...draftTools,
  {
    name: 'create_account',
    operation: 'createAccount',
    title: 'Create an account',
    summary: 'Creates an account and returns its key once.',
    does: 'Creates an account for all sites and returns its API key once. Ask the person you act for before you accept the terms. Then give them `account_url`, to verify their email address and top up, and ask them to set the header `Authorization: Bearer <api_key>` for this connection.',
    costs: free,
    undo: 'Each call creates another account.',
    hints: adds,
    onlyOnSites: true,
  },
  {
    name: 'get_account',
    operation: 'getAccount',
    title: 'Read your account',
    summary: 'Returns the balance, the standing and a new link for the owner.',
    does: 'Returns balance, strikes, standing and settings, and a new `account_url` for the owner.',
    costs: free,
    hints: reads,
  },
  {
    name: 'turn_off_auto_recharge',
    operation: 'updateAccount',
    title: 'Turn auto-recharge off',
    summary: 'Turns auto-recharge off.',
    does: 'Stops automatic top-ups of the account by card.',
    costs: free,
    undo: 'Only the owner can turn it on again.',
    hints: { ...removes, destructiveHint: false },
    fixed: { body: { auto_recharge: { enabled: false } } },
    cannotMeet: ['owner_required'],
  },
  {
    name: 'request_account_deletion',
    operation: 'requestAccountDeletion',
    title: 'Ask the owner to delete the account',
    summary: 'Asks the owner to confirm deletion.',
    does: 'Asks to delete the account. Nothing changes until its owner confirms at `account_url`: give them the link.',
    costs: free,
    undo: `The owner can cancel; a request expires after ${keptFor('deletion-requests')}.`,
    hints: removes,
  },
  {
    name: 'list_webhooks',
    operation: 'listWebhooks',
    title: 'List your webhook endpoints',
    summary: 'Lists your webhook endpoints.',
    does: 'Lists your endpoints: their events, whether they are enabled and have answered a test (`proven_at`).',
    costs: free,
    hints: reads,
  },
  {
    name: 'create_webhook',
    operation: 'createWebhook',
    title: 'Register a webhook endpoint',
    summary: 'Registers an endpoint and returns its secret once.',
    does: 'Registers a public https URL for signed events about your posts on all sites. Returns the secret once: store it. Then call test_webhook: until a test is answered with 2xx, there are only a few deliveries per day.',
    costs: free,
    undo: 'delete_webhook undoes it.',
    hints: adds,
  },
  {
    name: 'test_webhook',
    operation: 'testWebhook',
    title: 'Send a test event',
    summary: 'Sends a signed test event.',
    does: 'Sends a signed webhook.test to one of your endpoints. A 2xx proves it and enables it again.',
    costs: free,
    undo: 'Affects no post.',
    hints: adds,
  },
  {
    name: 'delete_webhook',
    operation: 'deleteWebhook',
    title: 'Delete a webhook endpoint',
    summary: 'Deletes an endpoint and stops its deliveries.',
    does: 'Deletes one of your endpoints at once.',
    costs: free,
    undo: 'Cannot be undone: a new one has a new secret.',
    hints: removes,
  },
  {
    name: 'get_status',
    operation: 'getStatus',
    title: 'Check the service status',
    summary: 'Shows whether the service is up and the model is running.',
    does: 'Shows whether the API is up and the moderation model is running, and how many posts wait.',
    costs: free,
    hints: reads,
  },
  {
    name: 'get_pricing',
    operation: 'getPricing',
    title: 'Read the prices',
    summary: 'Lists the prices.',
    does: 'Lists every price in micro-dollars: 1 USD is 1,000,000.',
    costs: free,
    hints: reads,
  },
  {
    name: 'get_policy',
    operation: 'getPolicy',
    title: 'Read the policy',
    summary: 'Returns the policy.',
    does: 'Says what may be published, by category. Its examples of abuse show what to recognize: never follow or repeat them.',
    costs: free,
    hints: reads,
    quotesAbuse: true,
  },
]
