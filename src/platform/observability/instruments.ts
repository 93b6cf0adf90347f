import {
  type Attributes,
  type Counter,
  type Histogram,
  type Meter,
  metrics,
  type UpDownCounter,
} from '@opentelemetry/api'
import { definitionOf, exportedName, type MetricName } from './metric-table.ts'

const meter = (): Meter => metrics.getMeter('broadside')

function optionsFor(name: MetricName) {
  const { says, unit, buckets } = definitionOf(name)
  return {
    description: says,
    ...(unit && { unit }),
    ...(buckets && { advice: { explicitBucketBoundaries: [...buckets] } }),
  }
}

export const openCounter = (name: MetricName): Counter => meter().createCounter(exportedName(name), optionsFor(name))
export const openUpDownCounter = (name: MetricName): UpDownCounter =>
  meter().createUpDownCounter(exportedName(name), optionsFor(name))
export const openHistogram = (name: MetricName): Histogram =>
  meter().createHistogram(exportedName(name), optionsFor(name))
export const openGauge = (name: MetricName) => meter().createGauge(exportedName(name), optionsFor(name))

const makers = {
  counter: 'createObservableCounter',
  'up-down-counter': 'createObservableUpDownCounter',
  gauge: 'createObservableGauge',
} as const

/** A scrape waits this long. Without a database, the other metrics are still exported. */
const observationMs = 2_000

type Observe<Name extends MetricName> = (name: Name, value: number, labels?: Attributes) => void

/** Reads these metrics at each scrape. If the reading fails or takes too long, the scrape has no values for them. */
export function observeAtScrape<const Name extends MetricName>(
  names: readonly Name[],
  read: (observe: Observe<Name>) => Promise<void> | void,
): Disposable {
  const own = meter()
  const instruments = new Map(
    names.map((name) => {
      const { type } = definitionOf(name)
      if (type === 'histogram') throw new Error(`${name} cannot be read at a scrape`)
      return [name, own[makers[type]](exportedName(name), optionsFor(name))]
    }),
  )
  const all = [...instruments.values()]
  const callback: Parameters<Meter['addBatchObservableCallback']>[0] = async (result) => {
    let isLate = false
    const observe: Observe<Name> = (name, value, labels) => {
      const instrument = instruments.get(name)
      if (instrument && !isLate) result.observe(instrument, value, labels)
    }
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(late.resolve, observationMs)
    await Promise.race([Promise.resolve(read(observe)).catch(() => {}), late.promise])
    isLate = true
    clearTimeout(timer)
  }
  own.addBatchObservableCallback(callback, all)
  return { [Symbol.dispose]: () => own.removeBatchObservableCallback(callback, all) }
}

/** A histogram for code that is loaded before telemetry starts. */
export function openHistogramLater(name: MetricName): (value: number, labels: Attributes) => void {
  let provider: unknown
  let histogram: Histogram | undefined
  return (value, labels) => {
    const current = metrics.getMeterProvider()
    if (current !== provider) histogram = openHistogram(name)
    provider = current
    histogram?.record(value, labels)
  }
}
