/** The checks of each change: at least one for each promise of docs/features.md, and for each thing that people start. */
const promises: Record<string, string> = {
  'Accounts and the contract':
    'accounts/create-answers-201 accounts/record-members accounts/shared-by-the-four-sites posts/message-content-kept posts/event-content-kept posts/message-unknown-member posts/story-149-words posts/location-city read/public-message read/list-items read/list-cursor read/ads-category read/events-starts-after links/openapi-message links/openapi-event dry-run/answer-message dry-run/answer-classified idempotency/repeat-is-replayed idempotency/eight-at-once moderation/submission-retry-after',
  'Correct money':
    'pricing-ledger/charged-at-once pricing-ledger/link-charged pricing-ledger/never-below-zero pricing-ledger/402-shape pricing-ledger/low-quality-refund pricing-ledger/abuse-ten-times commands/ledger-verify',
  'Posts are not lost, charged twice or judged twice; refusals can be appealed':
    'moderation/published-message moderation/published-story moderation/published-classified moderation/published-event moderation/edit-replaces moderation/low-quality-rejected moderation/appeal read/delete',
  'Safe keys': 'accounts/key-checksum owner/key-create owner/key-revoke keys/read-only keys/daily-cap',
  'Sign-in for apps': 'apps/sign-in apps/mcp-without-token',
  'The agent never handles payments':
    'owner/link-answers-303 owner/code-verifies-the-email owner/link-alone-is-no-session owner/top-up-amounts owner/top-up owner/csrf-refused',
  'Helpful errors':
    'errors/problem-document errors/422-errors-have-pointers errors/406 errors/413 errors/415-plain end/problem-pages-of-codes-seen',
  'Static reading':
    'static/post-page-message static/post-json-story static/post-markdown-classified static/post-negotiation-event static/removed-after-delete static/escaping-html static/escaping-rss static/security-headers static/sitemap static/deleted-list links/llms-message links/navigation-message feeds/rss-feed-xml-message feeds/json-feed-story feeds/calendar-events-ics',
  'Every page in a browser':
    'browser/post-message-phone browser/post-event-desktop browser/post-classified-phone browser/owner-phone browser/documents-message-phone browser/owner-page-desktop browser/card-message browser/card-event browser/mail',
  Webhooks:
    'webhooks/create webhooks/default-events webhooks/hostile-ipv4-private webhooks/event-bodies webhooks/delivery-test webhooks/delivery-outcomes webhooks/delivery-retried',
  'Search and reports': 'search/envelope search/topic search/keyed-headers search/keyless-headers search/report',
  'Writing to a seller': 'relay/sent relay/mailed',
  'Measured moderation': 'operator/prefilter operator/review-published static/policy-page static/policy-examples',
  'People have the last word':
    'operator/removed-record operator/removed-from-pages operator/restored commands/audit-verify owner/desk-shows-nothing-to-strangers',
  'Provable posts': 'proofs/signature proofs/log commands/log-verify',
  'Verified domains': 'proofs/domain-unverified',
  'MCP and the clients':
    'mcp/tools-message mcp/publish mcp/label-get-post mcp/legacy-check mcp/missing-key-get-account clients/typescript clients/command-line clients/python',
  'Following events': 'stream/public stream/own',
  Drafts: 'drafts/scheduled drafts/withdrawn',
  Operations:
    'gateway/burst gateway/static-while-busy commands/settings commands/doctor commands/account end/metrics-4201 end/metrics-4202 end/metrics-4210 end/metrics-4220 end/metrics-4221 end/metrics-4240 end/log',
}
export const quick = new Set(Object.values(promises).flatMap((ids) => ids.split(' ')))
