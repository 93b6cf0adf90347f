import type { Json, Seed } from './seed.ts'

const submit = ({ paths }: Json): Json => paths['/v1/posts'].post
const bodyOf = (operation: Json): Json => operation['requestBody'].content['application/json'].schema

/** Each is a change that callers tolerate, as the versioning page says, and must be accepted. */
export const compatibleSeeds: Seed[] = [
  {
    name: 'a new operation',
    openapi: ({ paths }) => {
      paths['/v1/prices'] = paths['/v1/pricing']
    },
    changes: ['openapi: GET /v1/prices: added'],
  },
  {
    name: 'a new optional field of a request',
    openapi: (openapi) => {
      bodyOf(submit(openapi))['properties'].language = { type: 'string' }
    },
    changes: ['openapi: POST /v1/posts: body application/json.language: added'],
  },
  {
    name: 'a field of a request is no longer required',
    openapi: (openapi, site) => {
      if (site === 'messages') bodyOf(submit(openapi))['required'] = []
    },
    changes: ['openapi (messages): POST /v1/posts: body application/json.text: no longer required'],
  },
  {
    name: 'a new field of a response',
    openapi: ({ components: { schemas } }) => {
      schemas.PostStatus.properties.language = { type: 'string' }
      schemas.PostStatus.required.push('language')
    },
    changes: ['openapi: PostStatus.language: added', 'mcp: PostStatus.language: added'],
  },
  {
    name: 'a new optional parameter',
    openapi: (openapi) =>
      submit(openapi)['parameters'].push({ name: 'notify', in: 'query', schema: { type: 'string' } }),
    changes: ['openapi: POST /v1/posts: query notify: added'],
  },
  {
    name: 'a raised limit',
    openapi: (openapi, site) => {
      if (site === 'messages') bodyOf(submit(openapi))['properties'].text.maxLength = 600
    },
    changes: ['openapi (messages): POST /v1/posts: body application/json.text: maxLength 500 → 600'],
  },
  {
    name: 'a parameter has another value',
    openapi: ({ paths }) => {
      const sort = paths['/v1/search'].get.parameters.find(({ name }: Json) => name === 'sort')
      sort.schema.enum.push('oldest')
    },
    changes: ['openapi: GET /v1/search: query sort: value oldest added'],
  },
  {
    name: 'an operation with a key can be called without one',
    openapi: (openapi) => submit(openapi)['security'].push({}),
    changes: [],
  },
  {
    name: 'an error is no longer returned',
    openapi: (openapi) => delete submit(openapi)['responses']['406'],
    changes: ['openapi: POST /v1/posts: 406 application/problem+json: removed'],
  },
  {
    name: 'other descriptions, titles and examples',
    openapi: (openapi) => {
      openapi['info'].description = 'Other words.'
      submit(openapi)['description'] = 'Other words.'
      openapi['components'].schemas.PostStatus.properties.url.description = 'Other words.'
      openapi['components'].schemas.PostStatus.properties.url.examples = []
    },
    changes: [],
  },
  {
    name: 'a new event',
    asyncapi: ({ components: { messages } }) => {
      messages.postPinned = { ...messages.postReview, name: 'post.pinned' }
    },
    changes: ['asyncapi: post.pinned: added'],
  },
  {
    name: 'a new event in the lists of the API',
    openapi: ({ components: { schemas } }) => schemas.Delivery.properties.type.enum.push('post.pinned'),
    changes: ['openapi: Delivery.type: value post.pinned added'],
  },
  {
    name: 'a new field of an event',
    asyncapi: ({ components: { schemas } }) => {
      schemas.PostEvent.properties.language = { type: 'string' }
    },
    changes: ['asyncapi: PostEvent.language: added'],
  },
  {
    name: 'a new problem',
    problems: ({ problems }) => problems.push({ ...problems[0], code: 'too_tired' }),
    changes: ['problems: too_tired: added'],
  },
  {
    name: 'a new problem in the responses',
    openapi: ({ components: { schemas } }) => schemas.Problem.properties.code.enum.push('too_tired'),
    changes: ['openapi: Problem.code: value too_tired added'],
  },
  {
    name: 'a new tool',
    tools: (tools) => tools.push({ ...tools.find(({ name }) => name === 'get_pricing'), name: 'list_prices' }),
    changes: ['mcp: list_prices: added'],
  },
  {
    name: 'a new optional argument of a tool',
    tools: (tools) => {
      const search = tools.find(({ name }) => name === 'search_posts')
      if (search) search['inputSchema'].properties.language = { type: 'string' }
    },
    changes: ['mcp: search_posts: arguments.language: added'],
  },
  {
    name: 'TypeScript: a new export',
    typescript: [
      'index.d.ts',
      'export type { WithResponse }',
      'export type { WithResponse, WithResponse as Responses }',
    ],
    changes: ['typescript: broadside.Responses: added'],
  },
  {
    name: 'TypeScript: a new optional parameter',
    typescript: ['broadside.d.ts', 'siteUrl(kind: Kind)', 'siteUrl(kind: Kind, options?: CallOptions)'],
    changes: ['typescript: Broadside.siteUrl(options): added'],
  },
  {
    name: 'TypeScript: an option accepts more',
    typescript: ['options.d.ts', 'ownerToken?: string | undefined', 'ownerToken?: string | URL | undefined'],
    changes: ['typescript: BroadsideOptions.ownerToken: URL added'],
  },
  {
    name: 'TypeScript: a new problem code',
    typescript: ['generated/types.d.ts', "'malformed_request' |", "'malformed_request' | 'too_tired' |"],
    changes: ['typescript: ProblemCode: value too_tired added'],
  },
  {
    name: 'Python: a new optional parameter',
    python: ['_client.py', 'def site_url(self, kind: Kind)', 'def site_url(self, kind: Kind, fresh: bool = False)'],
    changes: ['python: Broadside.site_url(fresh): added'],
  },
  {
    name: 'Python: a new function',
    python: ['__init__.py', 'from .errors import *', 'from .errors import *\n\ndef hello() -> str:\n    return ""\n'],
    changes: ['python: broadside.hello: added'],
  },
  {
    name: 'Python: a parameter accepts more',
    python: ['_client.py', 'self, post: Union[str, PostStatus], *', 'self, post: Union[str, bytes, PostStatus], *'],
    changes: ['python: Broadside.wait_for_decision(post): bytes added'],
  },
]
