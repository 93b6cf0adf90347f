import { type Attributes, context, metrics, type Span, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'

export type Telemetry = { metricsHandler: PrometheusExporter['getMetricsRequestHandler'] } & AsyncDisposable

/** Metrics are always collected for scraping; traces are sent only if an endpoint is configured. */
export function startTelemetry({
  process,
  otlpEndpoint,
}: {
  process: string
  otlpEndpoint?: string | undefined
}): Telemetry {
  const resource = resourceFromAttributes({ 'service.name': `broadside-${process}` })
  const exporter = new PrometheusExporter({ preventServerStart: true })
  const meterProvider = new MeterProvider({ resource, readers: [exporter] })
  metrics.setGlobalMeterProvider(meterProvider)
  const tracerProvider = otlpEndpoint
    ? new TracerProvider({
        resource,
        spanProcessors: [
          new BatchSpanProcessor({
            exporter: new OTLPTraceExporter({ url: new URL('/v1/traces', otlpEndpoint).href }),
          }),
        ],
      })
    : undefined
  if (tracerProvider) {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
    trace.setGlobalTracerProvider(tracerProvider)
  }
  return {
    metricsHandler: exporter.getMetricsRequestHandler.bind(exporter),
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled([meterProvider.shutdown(), tracerProvider?.shutdown()])
      metrics.disable()
      trace.disable()
    },
  }
}

/** Runs `work` inside a span; an error marks the span and is rethrown. Attributes are identifiers, never user text. */
export function inSpan<Result>(
  name: string,
  attributes: Attributes,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  return trace.getTracer('broadside').startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}
