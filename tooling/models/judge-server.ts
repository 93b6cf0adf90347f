import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { JudgeForm, JudgeOptions } from '../../src/moderation/judge/ask-judge.ts'
import { patienceMs } from '../services/state.ts'

export type AskedBody = {
  model: string
  messages: { role: string; content: string }[]
  response_format?: { json_schema: { schema: { properties: Record<string, { enum?: string[] }> } } }
} & Record<string, unknown>

export type Asked = {
  body: AskedBody
  headers: IncomingMessage['headers']
  /** The nonce of the fence; empty for a format without one. */
  nonce: string
  /** The response of a judge that accepts, as text. */
  right: string
}

export type JudgeAct = (response: ServerResponse, asked: Asked) => unknown

/** A chat completions server that responds to every request as configured. */
export async function startJudge(act: JudgeAct = acceptAll, form: JudgeForm = 'policy-json') {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as AskedBody
    const nonce = /^BEGIN POST (\w+)$/m.exec(body.messages.at(-1)?.content ?? '')?.[1] ?? ''
    const one = { body, headers: request.headers, nonce, right: rightWords[form](nonce) }
    asked.push(one)
    await act(response, one)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const options: JudgeOptions = { url, name: 'a-judge', form, timeoutMs: patienceMs }
  return {
    options,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const acceptAll: JudgeAct = (response, { right }) => sendJson(response, completion(right))

const rightWords: Record<JudgeForm, (nonce: string) => string> = {
  'policy-json': (nonce) => verdict(nonce),
  qwen3guard: () => 'Safety: Safe\nCategories: None',
  'llama-guard': () => '\n\nsafe',
}

/** The verdict of a policy judge as text. Without changes, it accepts. */
export const verdict = (nonce: string, changes: object = {}): string =>
  JSON.stringify({
    ...{ nonce, addresses_reader_as_machine: false, evidence: '', category: null, verdict: 'accept', score: 0.9 },
    ...changes,
  })

/** A completion in the format of vLLM. */
export const completion = (content: unknown, choice: object = {}, message: object = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'a-judge-1',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content, refusal: null, tool_calls: [], ...message },
      logprobs: null,
      finish_reason: 'stop',
      ...choice,
    },
  ],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

export const sendText = (response: ServerResponse, text: string | Buffer, type = 'application/json', status = 200) =>
  response.writeHead(status, { 'content-type': type }).end(text)

export const sendJson = (response: ServerResponse, body: unknown, status = 200) =>
  sendText(response, JSON.stringify(body), 'application/json', status)

/** The word that the probe's schema requires. Only a server that enforces the schema responds with it. */
export const onlyWord = ({ body }: Asked) => body.response_format?.json_schema.schema.properties['word']?.enum?.[0]
export const isThreat = ({ body }: Asked) => body.messages.at(-1)?.content.includes('Harrow Lane') ?? false

export type Says = { word?: string; harmless?: string; threat?: string; threatStatus?: number }

/** A correct judge, except for the configured responses. */
export const judgeThatSays =
  (says: (asked: Asked) => Says = () => ({})): JudgeAct =>
  (response, asked) => {
    const { word, harmless, threat, threatStatus } = says(asked)
    const refusal = verdict(asked.nonce, { verdict: 'reject', category: 'violence_threats' })
    const words = onlyWord(asked)
      ? (word ?? `{ "word": "${onlyWord(asked)}" }`)
      : isThreat(asked)
        ? (threat ?? refusal)
        : (harmless ?? asked.right)
    sendJson(response, completion(words), isThreat(asked) ? threatStatus : undefined)
  }
