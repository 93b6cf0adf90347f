import { problems } from '../problems/problems.ts'

/** An operation that an error points to. */
const operationHint = {
  type: 'object',
  required: ['method', 'path', 'url', 'docs'],
  properties: {
    method: { type: 'string' },
    path: { type: 'string' },
    url: { type: 'string', description: 'The path on its site.' },
    docs: { type: 'string', format: 'uri' },
  },
}

/** The JSON Schema of a problem document. */
export const problemSchema = {
  type: 'object',
  description: 'An RFC 9457 problem. `code` is stable; `detail` is for people.',
  required: ['type', 'title', 'status', 'detail', 'code', 'instance', 'error'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'URL of the page that explains this problem and what to do.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(problems) },
    instance: { type: 'string', description: 'Identifies the request in our log.' },
    account_url: { type: 'string', format: 'uri', description: 'URL of the page that the owner must open.' },
    for_human: { type: 'boolean', description: 'True when only a person can continue.' },
    errors: {
      type: 'array',
      description: 'All errors in the request.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'A JSON Pointer as a URI fragment.' },
          detail: { type: 'string' },
          allowed: {
            type: 'array',
            description: 'The valid field names if the name is not known; otherwise the valid values.',
            items: {},
          },
          closest: { description: 'The one of `allowed` that you probably mean.' },
          expected: { description: 'An example value, or in words what the value must be.' },
          docs: { type: 'string', format: 'uri', description: 'Where this is explained.' },
        },
      },
    },
    closest: {
      ...operationHint,
      description: 'For an unknown path or a wrong method: the operation that you probably mean.',
    },
    allowed: { type: 'array', items: operationHint, description: 'For a wrong method: the operations at this path.' },
    expected: { type: 'string', description: 'For a missing or wrong key: the header as it must be.' },
    kind: { type: 'string', description: 'For a post that is on another site: its kind.' },
    site_url: { type: 'string', format: 'uri', description: 'For a post that is on another site: that site.' },
    required_micros: {
      type: 'integer',
      description: 'The price, plus the amount owed if the balance must cover it too.',
    },
    required_scopes: {
      type: 'array',
      items: { type: 'string' },
      description: 'The scopes that allow the call, each by itself.',
    },
    balance_micros: { type: 'integer' },
    charged_micros: { type: 'integer', description: 'The charge, if a search that took too long was charged.' },
    daily_cap_micros: { type: 'integer', description: 'Maximum amount that the key can spend per UTC day.' },
    spent_micros: { type: 'integer', description: 'Amount of this cap that the key has already spent.' },
    retry_after_seconds: { type: 'integer', description: 'Same value as the Retry-After header, if it is sent.' },
    category: { type: 'string' },
    reason: { type: 'string' },
    error: {
      type: 'object',
      description: 'The same problem in the older format.',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        account_url: { type: 'string', format: 'uri' },
        for_human: { type: 'boolean' },
      },
    },
  },
}
