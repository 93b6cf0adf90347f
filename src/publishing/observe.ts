import { metrics } from '@opentelemetry/api'

export type PageWork = { work: 'publish-post' | 'build-page'; files: number; seconds: number }

/** Counts files and times, so that an operator sees that publishing costs the same whatever the archive's size. */
export function pageObserver() {
  const meter = metrics.getMeter('broadside')
  const files = meter.createCounter('pages.files', { description: 'Files written, by the work that wrote them.' })
  const seconds = meter.createHistogram('pages.seconds', {
    description: 'How long one piece of that work took.',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] },
  })
  return (done: PageWork) => {
    files.add(done.files, { work: done.work })
    seconds.record(done.seconds, { work: done.work })
  }
}
