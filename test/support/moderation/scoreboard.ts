import { benchmarkFigures } from '../../../src/policy/scoreboard.ts'

/** Invented figures in the format that `npm run eval` writes. `hostile` replaces the texts. */
export function exampleScoreboard(hostile = ''): string {
  const share = (value: number, n: number) => ({
    share: value,
    low: Math.max(0, value - 0.05),
    high: Math.min(1, value + 0.05),
    n,
  })
  const fates = (published: number, rejected: number, n: number) => ({
    published: share(published, n),
    review: share(1 - published - rejected, n),
    rejected: share(rejected, n),
  })
  const figures = {
    shares: { violating: fates(0.043, 0.08, 96), near_miss: fates(0.61, 0.01, 88), clean: fates(0.9, 0, 40) },
    violating_published: share(0.043, 96),
    benign_rejected: share(0.004, 128),
    benign_published: share(0.7, 128),
    benign_review: share(0.2, 128),
    review_share: share(0.5, 224),
    average_precision: { value: 0.91, low: 0.88, high: 0.94, n: 224 },
    calibration_error: null,
  }
  const scenario = (harmless: number, violating: number) => ({
    harmless_review: share(0.1, harmless),
    harmless_rejected: share(0, harmless),
    violating_published: share(0.05, violating),
  })
  const scenarios = (harmless: number, violating: number) =>
    Object.fromEntries(
      ['new_account', 'trusted_account', 'accepting_judge', 'simulated_judge'].map((name) => [
        name,
        scenario(harmless, violating),
      ]),
    )
  const part = { rules_alone: figures, local_alone: figures, pipeline_without_judge: figures }
  return JSON.stringify({
    policy_version: '2026-11-15',
    model: { name: `broadside-local${hostile}`, version: '0123456789ab' },
    thresholds_version: '2026-11-16.1',
    set: { posts: 640, sealed: 224, hash: 'ba9876543210' },
    judge: null,
    sealed: part,
    open: part,
    sealed_scenarios: scenarios(128, 96),
    left_out: {
      posts: 900,
      authors: 20,
      scenarios: scenarios(600, 300),
      groups: [
        {
          by: 'kind',
          group: 'message',
          posts: 400,
          harmless_review: share(0.1, 300),
          violating_published: share(0.05, 100),
        },
      ],
    },
    categories: [
      ...[category('hate_harassment', 0.92, 0.9), category('scam_fraud', 0.88, 0.81), category('spam', 0.71, 0.6)],
      { ...category('impersonation', 0.4, 0), precision: null },
    ],
    attacks: {
      posts: 60,
      published_without_judge: share(0.08, 720),
      published_with_accepting_judge: share(0.11, 720),
      wrappers: [],
    },
    benchmarks: [
      ...benchmark('OpenAI benchmark, 5-fold cross-validation, any label: 1595 texts, 437 violating', 0.834, 0.07),
      ...benchmark('OpenAI benchmark, none of it trained on, any label: 1595 texts, 437 violating', 0.702, 0.09),
      ...benchmark('OpenAI benchmark, none of it trained on, label H: 771 texts, 162 violating', 0.56, 0.2),
      ...benchmark('HateCheck: 3728 texts, 2563 violating', 0.789, 0.3),
      ...benchmark('XSTest: 450 texts, 200 violating', 0.664, 0.17),
      ...benchmark('SMS spam, half B (no SMS trained on): 3002 texts, 508 violating', 0.952, 0.01),
      ...benchmark('NotInject (harmless, with trigger words): 339 texts, 0 violating', null, 0.2),
    ],
    does_not_cover: [
      `Languages other than English: no post of the set is in one.${hostile}`,
      'A judge: no large language model was measured.',
      'Rare ways to break a rule',
    ],
    timing: { posts: 224, milliseconds_p50: 40, milliseconds_p95: 120 },
  })
}

const category = (id: string, precision: number, recall: number) => ({
  ...{ category: id, n: 148, violating: 20, average_precision: precision, low: precision - 0.1, high: 0.97 },
  ...{ precision, recall, published: 0.05 },
})

function benchmark(name: string, precision: number | null, alarms: number) {
  const row = (figure: string, value: number, range = 0) => ({
    ...{ name, figure, value },
    ...(range > 0 ? { low: value - range, high: value + range } : { low: null, high: null }),
  })
  const { average_precision, keyword_average_precision, f1, false_alarms } = benchmarkFigures
  return [
    ...(precision === null
      ? []
      : [row(average_precision, precision, 0.03), row(keyword_average_precision, 0.41), row(f1, 0.72)]),
    row(false_alarms, alarms),
    row('false alarms at 0.9', 0.01),
  ]
}
