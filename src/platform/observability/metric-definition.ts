/** Which processes export a metric. */
export type ProcessName = 'api' | 'worker' | 'owner-page' | 'desk' | 'cards' | 'model' | 'gateway'

export type MetricDefinition = {
  type: 'counter' | 'up-down-counter' | 'gauge' | 'histogram'
  /** A UCUM unit. Seconds, bytes and ratios are part of the exported name. */
  unit?: 's' | 'By' | '1'
  /** The labels, by their OpenTelemetry names. */
  labels?: readonly string[]
  exportedBy: readonly ProcessName[]
  buckets?: readonly number[]
  /**
   * The series that count failures: the label, and its values that do (any, if there are none). A counter named
   * `….failures` counts nothing else. `doctor` reports them if they are above 0, and each has an alert and a runbook.
   */
  failures?: 'all' | { label: string; values?: readonly string[] }
  /** What the metric means, as a sentence. */
  says: string
}
