import { gzipSync } from 'node:zlib'
import type { ModelError } from '../../src/moderation/model-client/model-service.ts'
import { type Asked, completion, type JudgeAct, sendJson, sendText, verdict } from './judge-server.ts'

type Misbehaviour = [kind: ModelError['kind'], act: JudgeAct]

const says = (words: (asked: Asked) => unknown): JudgeAct => {
  return (response, asked) => sendJson(response, completion(words(asked)))
}
const judges = (changes: object) => says(({ nonce }) => verdict(nonce, changes))
const wraps = (choice: object, message: object = {}): JudgeAct => {
  return (response, { right }) => sendJson(response, completion(right, choice, message))
}
const answers = (change: (right: ReturnType<typeof completion>) => unknown): JudgeAct => {
  return (response, { right }) => sendJson(response, change(completion(right)))
}
const hasStatus = (status: number): Misbehaviour => {
  return ['status', (response, { right }) => sendJson(response, completion(right), status)]
}
const rightBody = ({ right }: Asked) => JSON.stringify(completion(right))
/** Sends a response that would publish the post, in a wrong encoding or with a wrong type. */
const encoded = (encode: (body: string) => string | Buffer, type?: string): JudgeAct => {
  return (response, asked) => sendText(response, encode(rightBody(asked)), type)
}

/** Ways not to respond. Each ends with a timeout. */
export const silences: Record<string, JudgeAct> = {
  'never answers': () => {},
  'sends its head and nothing more': (response) => response.writeHead(200).flushHeaders(),
  'drips for ever': (response) => {
    const dripping = setInterval(() => response.write(' '), 20)
    response.on('close', () => clearInterval(dripping))
  },
  'drips its right answer, a byte at a time': (response, asked) => {
    const bytes = Buffer.from(rightBody(asked))
    let at = 0
    const dripping = setInterval(() => response.write(bytes.subarray(at, ++at)), 20)
    response.on('close', () => clearInterval(dripping))
  },
}

/** Faults in transit, caused by a server, a proxy or an attacker in the middle. */
export const atTransport: Record<string, Misbehaviour> = {
  'answers 201 with another thing': ['not_an_answer', (response) => sendJson(response, {}, 201)],
  'answers 204': ['not_json', (response) => response.writeHead(204).end()],
  'answers 400 with the right words': hasStatus(400),
  'answers 401': hasStatus(401),
  'answers 404': hasStatus(404),
  'answers 429': hasStatus(429),
  'answers 500': hasStatus(500),
  'answers 503': hasStatus(503),
  'answers 304': ['status', (response) => response.writeHead(304).end()],
  'sends elsewhere': ['unreachable', (response) => response.writeHead(307, { location: '/v1/else' }).end()],
  'sends in a circle': ['unreachable', (response) => response.writeHead(302, { location: '' }).end()],
  'hangs up at once': ['broken_off', (response) => response.destroy()],
  'hangs up in the middle': [
    'broken_off',
    (response, asked) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100_000 })
      response.write(rightBody(asked), () => response.destroy())
    },
  ],
  'promises more than it sends': [
    'broken_off',
    (response, asked) => {
      response.writeHead(200, { 'content-length': rightBody(asked).length + 1 }).write(rightBody(asked))
      response.socket?.end()
    },
  ],
  'answers nothing': ['not_json', encoded(() => '')],
  'answers 10 MB': ['too_large', encoded((body) => `${body}${' '.repeat(10_000_000)}`)],
  'sends a bomb of gzip': [
    'too_large',
    (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(50_000_000, ' '))),
  ],
  'says that it is gzip, and is not': [
    'broken_off',
    (response, asked) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(rightBody(asked)),
  ],
  'calls it a page': ['not_json', encoded((body) => body, 'text/html')],
  'calls it text': ['not_json', encoded((body) => body, 'text/plain; charset=utf-8')],
  'calls it something like JSON': ['not_json', encoded((body) => body, 'application/jsonp')],
  'streams, though it was not asked to': [
    'not_json',
    encoded((body) => `data: ${body}\n\ndata: [DONE]\n\n`, 'text/event-stream'),
  ],
  'streams and calls it JSON': ['not_json', encoded((body) => `data: ${body}\n\ndata: [DONE]\n\n`)],
  'sends one object a line': ['not_json', encoded((body) => `${body}\n${body}\n`)],
  'marks the byte order': ['not_json', encoded((body) => `\ufeff${body}`)],
  'writes UTF-16': ['not_json', encoded((body) => Buffer.from(body, 'utf16le'))],
  'is not UTF-8': ['not_json', encoded((body) => Buffer.concat([Buffer.from(body.slice(0, -1)), Buffer.from([0xff])]))],
  'breaks off its JSON': ['not_json', encoded((body) => body.slice(0, -2))],
  'gives two lists of choices': ['not_json', encoded((body) => body.replace('"choices"', '"choices":[],"choices"'))],
  'hides a second model behind an escape': ['not_json', encoded((body) => body.replace('{', '{"\\u006dodel":"x",'))],
}

/** Faults of the completion itself. */
export const atEnvelope: Record<string, JudgeAct> = {
  'answers null': answers(() => null),
  'answers a list': answers((right) => [right]),
  'answers a text': answers(() => 'accept'),
  'answers an error with status 200': answers(() => ({ error: { message: 'overloaded', code: 503 } })),
  'gives no choices': answers(({ choices: _, ...rest }) => rest),
  'gives an empty list of choices': answers((right) => ({ ...right, choices: [] })),
  'gives two choices': answers((right) => ({ ...right, choices: [...right.choices, ...right.choices] })),
  'gives choices that are no list': answers((right) => ({ ...right, choices: right.choices[0] })),
  'sends a chunk of a stream': answers((right) => ({
    ...right,
    object: 'chat.completion.chunk',
    choices: right.choices.map(({ message, ...rest }) => ({ ...rest, delta: message })),
  })),
  'calls a whole answer a chunk': answers((right) => ({ ...right, object: 'chat.completion.chunk' })),
  'names no model': answers(({ model: _, ...rest }) => rest),
  'names a model without a name': answers((right) => ({ ...right, model: '' })),
  'names a model with control characters': answers((right) => ({ ...right, model: 'a\u001b[31mjudge\n' })),
  'names a model at length': answers((right) => ({ ...right, model: 'x'.repeat(201) })),
  'has a fingerprint that is no text': answers((right) => ({ ...right, system_fingerprint: { a: 1 } })),
  'has a fingerprint in another script': answers((right) => ({ ...right, system_fingerprint: 'от\u202e' })),
  'was cut short': wraps({ finish_reason: 'length' }),
  'was filtered': wraps({ finish_reason: 'content_filter' }),
  'stopped to call a tool': wraps({ finish_reason: 'tool_calls' }),
  'stopped for no reason': wraps({ finish_reason: null }),
  'does not say why it stopped': wraps({ finish_reason: undefined }),
  'calls a tool': wraps({}, { tool_calls: [{ id: '1', type: 'function', function: { name: 'accept' } }] }),
  'calls a function': wraps({}, { function_call: { name: 'accept', arguments: '{}' } }),
  refuses: wraps({}, { refusal: 'I cannot help with that.' }),
  'speaks as the user': wraps({}, { role: 'user' }),
  'speaks as the system': wraps({}, { role: 'system' }),
  'sends no message': wraps({ message: undefined }),
  'says null': says(() => null),
  'says nothing': says(() => ''),
  'says a list of parts': says(({ right }) => [{ type: 'text', text: right }]),
  'says an object': says(({ right }) => ({ right })),
  'says a number': says(() => 1),
}

/** Responses of a policy judge that are not a verdict. The test itself covers `{}`. */
export const atVerdict: Record<string, JudgeAct> = {
  'explains itself first': says(({ right }) => `Here is my verdict: ${right}`),
  'thinks aloud first': says(({ right }) => `<think>It looks fine.</think>${right}`),
  'explains itself afterwards': says(({ right }) => `${right} I hope this helps.`),
  'fences its answer': says(({ right }) => `\`\`\`json\n${right}\n\`\`\``),
  'answers twice': says(({ right }) => `${right}${right}`),
  'answers two lines': says(({ right }) => `${right}\n${right}`),
  'answers a list': says(({ right }) => `[${right}]`),
  'answers JSON in JSON': says(({ right }) => JSON.stringify(right)),
  'breaks off inside': says(({ right }) => right.slice(0, -1)),
  'marks the byte order inside': says(({ right }) => `\ufeff${right}`),
  'writes a comma too many': says(({ right }) => right.replace('}', ',}')),
  'writes single quotes': says(({ right }) => right.replaceAll('"', "'")),
  'gives two verdicts': says(({ right }) => right.replace('"verdict"', '"verdict":"reject","verdict"')),
  'gives two verdicts, one with an escape': says(({ right }) => right.replace('}', ',"\\u0076erdict":"accept"}')),
  'gives two nonces': says(({ right }) => right.replace('{', '{"nonce":"x",')),
  'forgets the nonce': judges({ nonce: undefined }),
  'repeats another nonce': judges({ nonce: '000000000000000000000000' }),
  'repeats the nonce of the post’s text': judges({ nonce: 'f00dfeedf00dfeedf00dfeed' }),
  'repeats the nonce in part': says(({ nonce }) => verdict(nonce.slice(0, -1))),
  'repeats the mark alone': says(({ nonce }) => verdict(nonce.slice(0, 6))),
  'repeats the nonce in capitals': says(({ nonce }) => verdict(`${nonce.toUpperCase()}`)),
  'repeats the nonce with a space': says(({ nonce }) => verdict(`${nonce} `)),
  'forgets the verdict': judges({ verdict: undefined }),
  'invents a verdict': judges({ verdict: 'publish' }),
  'shouts its verdict': judges({ verdict: 'ACCEPT' }),
  'gives a list of verdicts': judges({ verdict: ['accept'] }),
  'forgets the category': judges({ category: undefined }),
  'invents a category': judges({ verdict: 'reject', category: 'bad_taste' }),
  'names a category that every object has': judges({ verdict: 'reject', category: 'constructor' }),
  'says none where null is meant': judges({ category: 'none' }),
  'refuses for nothing': judges({ verdict: 'reject' }),
  'forgets the score': judges({ score: undefined }),
  'is too sure': judges({ score: 1.5 }),
  'is unsure below nought': judges({ score: -0.1 }),
  'scores in words': judges({ score: '0.9' }),
  'scores nothing': judges({ score: null }),
  'scores NaN': says(({ right }) => right.replace('0.9', 'NaN')),
  'scores without end': says(({ right }) => right.replace('0.9', '1e999')),
  'forgets whom the post addresses': judges({ addresses_reader_as_machine: undefined }),
  'is unsure whom the post addresses': judges({ addresses_reader_as_machine: 'false' }),
  'forgets the evidence': judges({ evidence: undefined }),
  'quotes the whole post': judges({ evidence: 'Ferry '.repeat(100) }),
  'has evidence that is no text': judges({ evidence: ['Ferry'] }),
  'says more than it was asked': judges({ reason: 'Because.' }),
  'reaches for the prototype': says(({ right }) => right.replace('{', '{"__proto__":{"verdict":"accept"},')),
}

/** Responses of a guard that are not in its format, for both guards. */
export const atGuard: Record<string, JudgeAct> = {
  'says the other’s form': says(({ right }) => (right.includes('Safety') ? 'safe' : 'Safety: Safe\nCategories: None')),
  'speaks JSON': says(() => '{"verdict":"accept"}'),
  'explains itself first': says(({ right }) => `The answer is: ${right.trim()}`),
  'explains itself afterwards': says(({ right }) => `${right}\nIt is about a ferry.`),
  'says it twice': says(({ right }) => `${right}\n${right}`),
  shouts: says(({ right }) => right.toUpperCase()),
  'thinks aloud': says(({ right }) => `<think></think>${right}`),
  'fences its answer': says(({ right }) => `\`\`\`\n${right}\n\`\`\``),
  'is unsafe and says not why': says(({ right }) => (right.includes('Safety') ? 'Safety: Unsafe' : 'unsafe')),
  'is unsafe for nothing': says(({ right }) =>
    right.includes('Safety') ? 'Safety: Unsafe\nCategories: None' : 'unsafe\n',
  ),
  'is unsafe for what it does not know': says(({ right }) =>
    right.includes('Safety') ? 'Safety: Unsafe\nCategories: Bad Taste' : 'unsafe\nS15',
  ),
  'names something that every object has': says(({ right }) =>
    right.includes('Safety') ? 'Safety: Unsafe\nCategories: constructor' : 'unsafe\nS0',
  ),
  'is unsafe twice for one thing': says(({ right }) =>
    right.includes('Safety') ? 'Safety: Unsafe\nCategories: Violent, Violent' : 'unsafe\nS1,S1',
  ),
  'is safe and says why not': says(({ right }) =>
    right.includes('Safety') ? 'Safety: Safe\nCategories: Violent' : 'safe\nS1',
  ),
  'ends its list with a comma': says(({ right }) =>
    right.includes('Safety') ? 'Safety: Unsafe\nCategories: Violent,' : 'unsafe\nS1,',
  ),
  'invents a level': says(({ right }) => (right.includes('Safety') ? 'Safety: Fine\nCategories: None' : 'fine')),
}
