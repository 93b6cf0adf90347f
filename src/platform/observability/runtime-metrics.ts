import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics } from 'node:v8'
import { observeAtScrape } from './instruments.ts'

/** Measures the event loop this often. An idle process wakes up 50 times a second, which costs nearly nothing. */
const resolutionMs = 20

/** Exports event loop, memory and processor time of this process, by OpenTelemetry's conventions. */
export function observeRuntime(): Disposable {
  using stack = new DisposableStack()
  stack.use(observeLoop())
  stack.use(
    observeAtScrape(['v8js.memory.heap.used', 'v8js.memory.heap.limit'], (observe) => {
      for (const { space_name, space_used_size, space_size } of getHeapSpaceStatistics()) {
        observe('v8js.memory.heap.used', space_used_size, { 'v8js.heap.space.name': space_name })
        observe('v8js.memory.heap.limit', space_size, { 'v8js.heap.space.name': space_name })
      }
    }),
  )
  stack.use(
    observeAtScrape(['process.memory.usage', 'process.cpu.time', 'process.uptime'], (observe) => {
      const { user, system } = process.cpuUsage()
      observe('process.memory.usage', process.memoryUsage.rss())
      observe('process.cpu.time', user / 1_000_000, { 'cpu.mode': 'user' })
      observe('process.cpu.time', system / 1_000_000, { 'cpu.mode': 'system' })
      observe('process.uptime', process.uptime())
    }),
  )
  return stack.move()
}

const loopMetrics = [
  'nodejs.eventloop.delay.min',
  'nodejs.eventloop.delay.max',
  'nodejs.eventloop.delay.mean',
  'nodejs.eventloop.delay.stddev',
  'nodejs.eventloop.delay.p50',
  'nodejs.eventloop.delay.p90',
  'nodejs.eventloop.delay.p99',
  'nodejs.eventloop.utilization',
  'nodejs.eventloop.time',
] as const

function observeLoop(): Disposable {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  let before = performance.eventLoopUtilization()
  const observing = observeAtScrape(loopMetrics, (observe) => {
    const { min, max, mean, stddev } = delay
    const values = {
      min,
      max,
      mean,
      stddev,
      p50: delay.percentile(50),
      p90: delay.percentile(90),
      p99: delay.percentile(99),
    }
    // The histogram measures the intervals of its own timer; what exceeds the interval is the delay.
    for (const [part, nanoseconds] of Object.entries(values))
      if (delay.count > 0)
        observe(
          `nodejs.eventloop.delay.${part as keyof typeof values}`,
          Math.max(0, nanoseconds / 1e9 - (part === 'stddev' ? 0 : resolutionMs / 1_000)),
        )
    delay.reset()
    const now = performance.eventLoopUtilization()
    observe('nodejs.eventloop.utilization', performance.eventLoopUtilization(now, before).utilization)
    before = now
    observe('nodejs.eventloop.time', now.active / 1_000, { 'nodejs.eventloop.state': 'active' })
    observe('nodejs.eventloop.time', now.idle / 1_000, { 'nodejs.eventloop.state': 'idle' })
  })
  return {
    [Symbol.dispose]: () => {
      delay.disable()
      observing[Symbol.dispose]()
    },
  }
}
