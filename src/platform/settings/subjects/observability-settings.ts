import { z } from 'zod'
import { filePath, port } from '../setting-values.ts'

/** Logs, traces, the results of checks, and the gateway's metrics. */
export const observabilitySettings = {
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Minimum level of messages to log.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z
    .url()
    .optional()
    .describe('OTLP endpoint for traces. Without it, no traces are exported.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('Share of traces to export, from 0 to 1. All processes need the same value.'),
  CHECKS_DIRECTORY: filePath
    .optional()
    .describe(
      'Directory for the results of `ledger verify`, `audit verify` and `check record`. Workers export them as metrics.',
    ),
  GATEWAY_ACCESS_LOG: filePath
    .optional()
    .describe(
      'File for the gateway’s access log, which `gateway-metrics` reads. Without it, the gateway logs no requests.',
    ),
  GATEWAY_METRICS_PORT: port.default(4230).describe('Port for /healthz, /readyz and /metrics of `gateway-metrics`.'),
} satisfies Record<string, z.ZodType>
