import { hostname } from 'node:os'
import { context, metrics, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'
import packageFile from '../../../package.json' with { type: 'json' }
import { observeRuntime } from './runtime-metrics.ts'
import { ChosenIdGenerator } from './tracing.ts'

export type Telemetry = { metricsHandler: PrometheusExporter['getMetricsRequestHandler'] } & AsyncDisposable

/** Which process this is, in metrics, traces and log lines: the same after a restart, and unique per host and port. */
export const identityOf = (port: number) => ({ instance: `${hostname()}:${port}`, version: packageFile.version })

type Options = {
  process: string
  instance?: string
  otlpEndpoint?: string | undefined
  /** The share of traces to export. All processes choose the same traces, by their id. */
  sampleRatio?: number | undefined
}

let running: { telemetry: Telemetry; users: number } | undefined

/**
 * Starts the telemetry of this Node process. OpenTelemetry has only one, so the processes of the service that a test
 * opens share it.
 */
export function openTelemetry(options: Options): Telemetry {
  running ??= { telemetry: startTelemetry(options), users: 0 }
  const own = running
  own.users++
  const close = async () => {
    own.users--
    if (own.users > 0) return
    running = undefined
    await own.telemetry[Symbol.asyncDispose]()
  }
  return { metricsHandler: own.telemetry.metricsHandler, [Symbol.asyncDispose]: close }
}

/** Metrics are always collected for scraping; traces are sent only if an endpoint is configured. */
function startTelemetry({ process, instance, otlpEndpoint, sampleRatio = 1 }: Options): Telemetry {
  const resource = resourceFromAttributes({
    'service.namespace': 'broadside',
    'service.name': `broadside-${process}`,
    'service.version': packageFile.version,
    ...(instance && { 'service.instance.id': instance }),
  })
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const meterProvider = new MeterProvider({ resource, readers: [exporter] })
  metrics.setGlobalMeterProvider(meterProvider)
  // Trace ids are in the log even if no traces are exported.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const tracerProvider = otlpEndpoint ? makeTracerProvider(resource, otlpEndpoint, sampleRatio) : undefined
  if (tracerProvider) trace.setGlobalTracerProvider(tracerProvider)
  const runtime = observeRuntime()
  return {
    metricsHandler: exporter.getMetricsRequestHandler.bind(exporter),
    [Symbol.asyncDispose]: async () => {
      runtime[Symbol.dispose]()
      metrics.disable()
      trace.disable()
      context.disable()
      await Promise.allSettled([meterProvider.shutdown(), tracerProvider?.shutdown()])
    },
  }
}

const makeTracerProvider = (resource: Resource, otlpEndpoint: string, sampleRatio: number) =>
  new TracerProvider({
    resource,
    idGenerator: new ChosenIdGenerator(),
    sampler: new TraceIdRatioBasedSampler(sampleRatio),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: new URL('/v1/traces', otlpEndpoint).href }),
      }),
    ],
  })
