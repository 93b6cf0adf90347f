import { z } from 'zod'
import { port } from './setting-values.ts'

/** Of the local model and of the judge: a part of the table of settings. */
export const modelSettings = {
  MODEL_PORT: port.default(4301).describe('The local model listens here.'),
  MODEL_STARTUP_SECONDS: z.coerce
    .number()
    .min(0)
    .max(3_600)
    .default(0)
    .describe('How long that model waits before it listens: to try a slow start.'),
  MODEL_URL: z
    .url()
    .regex(/^https?:\/\/[^?#@]*[^?#@/]$/)
    .default('http://127.0.0.1:4301')
    .describe('The server of the local model: what stands before /v1/moderations.'),
  MODEL_HEALTH_PATH: z
    .string()
    .regex(/^\/[\w./-]{1,100}$/)
    .default('/healthz')
    .describe(
      'What the judge, or without one the local model, answers with success when it is well: /health for llama.cpp and vLLM.',
    ),
  MODEL_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/)
    .optional()
    .describe('Sent to the local model as a bearer token, if it asks for one.'),
  MODEL_NAME: z.string().min(1).max(200).default('broadside-local').describe('Which model is asked for there.'),
  MODEL_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'The weights of the local model, if not those that ship: made by `npm run train`, or an ONNX file with its vocabulary.',
    ),
  MODEL_SHADOW_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('The weights of a candidate, which scores every post too and decides about none.'),
  MODEL_THREADS: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('How many threads the local model runs in; half of the cores if not given. Each takes about 300 MB.'),
  MODERATION_COSTS: z
    .string()
    .max(10_000)
    .optional()
    .describe(
      'JSON: what mistakes of moderation cost, in units of one review, and the expected share of posts that break a rule. Any of `prior`, `trusted`, `review`, `delay` and `published_violation` (by category, or `default`); the rest stays as in src/moderation/decisions/thresholds.json.',
    ),
  JUDGE_URL: z
    .url()
    .regex(/^https?:\/\/[^?#@]*[^?#@/]$/)
    .optional()
    .describe(
      'The judge, any OpenAI-compatible server: what stands before /v1/chat/completions. Without one the local model and the rules decide what may be published, and people the rest.',
    ),
  JUDGE_NAME: z.string().min(1).max(200).default('judge').describe('Which model is asked for there.'),
  JUDGE_FORM: z
    .enum(['policy-json', 'qwen3guard', 'llama-guard'])
    .default('policy-json')
    .describe('How the judge answers: by our policy as JSON, or in the form of a guard model.'),
  JUDGE_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/)
    .optional()
    .describe('Sent to the judge as a bearer token, if it asks for one.'),
  MODEL_TIMEOUT_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(600)
    .default(30)
    .describe(
      'How long one question to the judge may take; the local model has a quarter of a second more for each window of text.',
    ),
  MODEL_DRIVER: z
    .enum(['command', 'webhooks', 'always-on'])
    .default('always-on')
    .describe('How the model is started for the first post and stopped when none waits; always-on: it is not.'),
  MODEL_COMMAND: z
    .string()
    .min(1)
    .optional()
    .describe('For the driver command: what a worker runs, in sh, to have the model. It ends with the worker.'),
  MODEL_START_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('For the driver webhooks: a POST here starts the model. It may come again while the model runs.'),
  MODEL_STOP_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('For the driver webhooks: a POST here stops the model. It may come again when the model is stopped.'),
  MODEL_DRIVER_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/)
    .optional()
    .describe('For the driver webhooks: sent to both addresses as a bearer token.'),
  MODEL_IDLE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(900)
    .describe('How long no post may wait before the model is stopped.'),
  MODEL_START_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(86_400)
    .default(1_200)
    .describe('How long a start of the model takes, as authors are told until one was measured.'),
}
