/**
 * Test files that get a process of their own, with their seconds in CI: they change or measure their process, or take
 * long. They start first, the longest at the beginning, so that no long file starts last. The runs of one feature leave out those
 * that take longer than `longSeconds`.
 */
export const aloneFiles: Readonly<Record<string, number>> = {
  'scripts/fault-injection/chaos/chaos.test.ts': 560,
  'test/sites/incremental-pages.test.ts': 145,
  'test/journeys/webhooks/webhook-retries.test.ts': 134,
  'test/sites/browser.test.ts': 123,
  'test/journeys/moderation/post-in-review.test.ts': 103,
  'test/money/ledger-property.test.ts': 102,
  'scripts/measurement/bench/scale/scale.test.ts': 60,
  'test/operations/processes.test.ts': 60,
  'test/deploy/bundle.test.ts': 60,
  'test/clients/python.test.ts': 60,
  'test/clients/command-line.test.ts': 60,
  'test/sites/document-examples.test.ts': 60,
  'test/journeys/accounts/quickstart-clients.test.ts': 60,
  'test/operations/monitoring.test.ts': 60,
  'test/sites/valid-pages.test.ts': 60,
  'test/desk/browser.test.ts': 60,
  'test/owner-page/browser.test.ts': 60,
  'test/drafts/phone.test.ts': 60,
  'test/sites/rebuild.test.ts': 60,
  'test/operations/operator.test.ts': 60,
  'test/operations/operator-posts.test.ts': 60,
  'test/journeys/moderation/model-gives-no-answer.test.ts': 30,
  'test/api/flood.test.ts': 30,
  'scripts/contract/contract.test.ts': 15,
  'src/moderation/model-control/command-driver.test.ts': 5,
  'src/http/shed-load.test.ts': 5,
  'src/http/loop-delay.test.ts': 5,
}

/** A file that takes longer is not part of the run of a feature. */
export const longSeconds = 10

export const isLong = (file: string): boolean => (aloneFiles[file] ?? 0) > longSeconds
