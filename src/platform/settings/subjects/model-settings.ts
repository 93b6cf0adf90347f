import { z } from 'zod'
import { port } from '../setting-values.ts'

/** The settings of the local model and of the judge. */
export const modelSettings = {
  MODEL_PORT: port.default(4301).describe('Port that the local model listens on.'),
  MODEL_STARTUP_SECONDS: z.coerce
    .number()
    .min(0)
    .max(3_600)
    .default(0)
    .describe('Delay in seconds before the local model starts to listen; simulates a slow start.'),
  MODEL_URL: z
    .url()
    .regex(/^https?:\/\/[^?#@]*[^?#@/]$/)
    .default('http://127.0.0.1:4301')
    .describe('Base URL of the local model: the part before /v1/moderations.'),
  MODEL_HEALTH_PATH: z
    .string()
    .regex(/^\/[\w./-]{1,100}$/)
    .default('/healthz')
    .describe(
      'Health check path of the judge, or of the local model if there is no judge. Use /health for llama.cpp and vLLM.',
    ),
  MODEL_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/)
    .optional()
    .describe('Bearer token for the local model, if it requires one.'),
  MODEL_NAME: z
    .string()
    .min(1)
    .max(200)
    .default('broadside-local')
    .describe('The local model’s name in requests to it.'),
  MODEL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'Directory with other weights for the local model: created by `npm run train -- moderation`, or an ONNX file with its vocabulary. The default is the shipped weights.',
    ),
  MODEL_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe(
      'Number of threads for the local model; half of the CPU cores by default. Each thread uses about 300 MB.',
    ),
  MODERATION_COSTS: z
    .string()
    .max(10_000)
    .optional()
    .describe(
      'JSON with the cost of moderation mistakes, in units of one review, and the expected share of posts that break a rule. Set any of `prior`, `trusted`, `review`, `delay` and `published_violation` (by category, or `default`); src/moderation/decisions/thresholds.json has the defaults.',
    ),
  JUDGE_URL: z
    .url()
    .regex(/^https?:\/\/[^?#@]*[^?#@/]$/)
    .optional()
    .describe(
      'Base URL of the judge, any OpenAI-compatible server: the part before /v1/chat/completions. Without a judge, the local model and the rules decide which posts to publish, and staff decide the rest.',
    ),
  JUDGE_NAME: z.string().min(1).max(200).default('judge').describe('Name of the model in requests to the judge.'),
  JUDGE_FORM: z
    .enum(['policy-json', 'qwen3guard', 'llama-guard'])
    .default('policy-json')
    .describe('Response format of the judge: JSON based on our policy, or the format of a guard model.'),
  JUDGE_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/)
    .optional()
    .describe('Bearer token for the judge, if it requires one.'),
  MODEL_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600)
    .default(30)
    .describe(
      'Timeout in seconds for one request to the judge. The local model gets another 0.25 seconds for each window of text.',
    ),
  MODEL_DRIVER: z
    .enum(['command', 'webhooks', 'always-on'])
    .default('always-on')
    .describe(
      'How workers start the model for the first post and stop it when no post is waiting. With always-on, they do neither.',
    ),
  MODEL_COMMAND: z
    .string()
    .min(1)
    .optional()
    .describe(
      'For the driver "command": shell command (sh) that a worker runs to start the model. The command ends with the worker.',
    ),
  MODEL_START_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'For the driver "webhooks": a POST to this URL starts the model. The request may be repeated while the model is running.',
    ),
  MODEL_STOP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'For the driver "webhooks": a POST to this URL stops the model. The request may be repeated when the model is already stopped.',
    ),
  MODEL_DRIVER_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/)
    .optional()
    .describe('For the driver "webhooks": bearer token sent to both URLs.'),
  MODEL_IDLE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(900)
    .describe('Seconds without a waiting post after which workers stop the model.'),
  MODEL_START_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(1_200)
    .describe('Expected startup time of the model in seconds, shown to authors until a real start has been measured.'),
}
