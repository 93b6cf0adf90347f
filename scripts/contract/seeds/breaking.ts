import type { Json, Seed } from './seed.ts'

const submit = ({ paths }: Json): Json => paths['/v1/posts'].post
const bodyOf = (operation: Json): Json => operation['requestBody'].content['application/json'].schema
const parameter = (operation: Json, name: string): Json =>
  operation['parameters'].find((one: Json) => one['name'] === name)
const schemas = ({ components }: Json): Json => components.schemas
const indexOf = (tools: Json[], name: string) => tools.findIndex((tool) => tool['name'] === name)
const named = (tools: Json[], name: string): Json => tools[indexOf(tools, name)] ?? {}
const without = <Value>(list: Value[], value: Value): Value[] => list.filter((one) => one !== value)

/** Each is a change that callers notice, and must be refused with exactly these identifiers. */
export const breakingSeeds: Seed[] = [
  {
    name: 'an operation is removed',
    openapi: (openapi) => delete openapi['paths']['/v1/places'],
    changes: [
      'openapi: GET /v1/places: removed',
      'mcp (messages, events): find_place: result of 200 application/json: removed',
    ],
  },
  {
    name: 'an operation is renamed',
    openapi: ({ paths }) => {
      paths['/v1/prices'] = paths['/v1/pricing']
      delete paths['/v1/pricing']
    },
    changes: [
      'openapi: GET /v1/pricing: removed',
      'mcp (messages, events): get_pricing: result of 200 application/json: removed',
    ],
  },
  {
    name: 'a field of a response is removed',
    openapi: (openapi) => delete schemas(openapi)['PostStatus'].properties.url,
    changes: ['openapi: PostStatus.url: removed', 'mcp: PostStatus.url: removed'],
  },
  {
    name: 'a field of a response becomes optional',
    openapi: (openapi) => {
      schemas(openapi)['PostStatus'].required = without(schemas(openapi)['PostStatus'].required, 'url')
    },
    changes: ['openapi: PostStatus.url: no longer required', 'mcp: PostStatus.url: no longer required'],
  },
  {
    name: 'the type of a field changes',
    openapi: (openapi) => {
      schemas(openapi)['PostStatus'].properties.charged_micros.type = 'string'
    },
    changes: [
      'openapi: PostStatus.charged_micros: type integer → string',
      'mcp: PostStatus.charged_micros: type integer → string',
    ],
  },
  {
    name: 'a field of a response may be null',
    openapi: (openapi) => {
      const { properties } = schemas(openapi)['PostStatus']
      properties.created_at = { anyOf: [properties.created_at, { type: 'null' }] }
    },
    changes: ['openapi: PostStatus.created_at: null added', 'mcp: PostStatus.created_at: null added'],
  },
  {
    name: 'a response has a value that callers do not know',
    openapi: (openapi) => schemas(openapi)['Account'].properties.standing.enum.push('paused'),
    changes: ['openapi: Account.standing: value paused added', 'mcp: Account.standing: value paused added'],
  },
  {
    name: 'a request needs a new field',
    openapi: (openapi) => {
      const body = bodyOf(submit(openapi))
      body['properties'].language = { type: 'string' }
      body['required'].push('language')
    },
    changes: ['openapi: POST /v1/posts: body application/json.language: added, required'],
  },
  {
    name: 'an optional field of a request becomes required',
    openapi: (openapi, site) => {
      if (site === 'messages') bodyOf(submit(openapi))['required'].push('topics')
    },
    changes: ['openapi (messages): POST /v1/posts: body application/json.topics: now required'],
  },
  {
    name: 'a field of a request is removed on one site',
    openapi: (openapi, site) => {
      if (site === 'events') delete bodyOf(submit(openapi))['properties'].ends_at
    },
    changes: ['openapi (events): POST /v1/posts: body application/json.ends_at: removed'],
  },
  {
    name: 'a request may be shorter only',
    openapi: (openapi, site) => {
      if (site === 'messages') bodyOf(submit(openapi))['properties'].text.maxLength = 400
    },
    changes: ['openapi (messages): POST /v1/posts: body application/json.text: maxLength 500 → 400'],
  },
  {
    name: 'a parameter loses a value',
    openapi: (openapi) => {
      parameter(openapi['paths']['/v1/search'].get, 'sort')['schema'].enum = ['relevance']
    },
    changes: ['openapi: GET /v1/search: query sort: value newest removed'],
  },
  {
    name: 'a parameter gets another pattern',
    openapi: (openapi) => {
      parameter(openapi['paths']['/v1/search'].get, 'currency')['schema'].pattern = '^(EUR|USD)$'
    },
    changes: ['openapi: GET /v1/search: query currency: pattern changed'],
  },
  {
    name: 'a parameter is removed',
    openapi: ({ paths }) => {
      const { get } = paths['/v1/search']
      get.parameters = without(get.parameters, parameter(get, 'since'))
    },
    changes: ['openapi: GET /v1/search: query since: removed'],
  },
  {
    name: 'a header becomes necessary',
    openapi: (openapi) =>
      submit(openapi)['parameters'].push({ name: 'X-Agent', in: 'header', required: true, schema: { type: 'string' } }),
    changes: ['openapi: POST /v1/posts: header X-Agent: added, required'],
  },
  {
    name: 'a free operation needs a key',
    openapi: ({ paths }) => {
      paths['/v1/posts'].get.security = [{ apiKey: [] }]
    },
    changes: ['openapi: GET /v1/posts: access with nothing → apiKey'],
  },
  {
    name: 'an operation needs a new scope',
    openapi: (openapi) => {
      submit(openapi)['security'] = [{ apiKey: ['publish'] }]
    },
    changes: ['openapi: POST /v1/posts: access with apiKey → apiKey and apiKey publish'],
  },
  {
    name: 'a status is no longer returned',
    openapi: ({ paths }) => {
      const { responses } = paths['/v1/search'].get
      responses['203'] = responses['200']
      delete responses['200']
    },
    changes: [
      'openapi: GET /v1/search: 200 application/json: removed',
      'openapi: GET /v1/search: 200 header X-Request-Id: removed',
      'openapi: GET /v1/search: 200 header RateLimit-Policy: removed',
      'openapi: GET /v1/search: 200 header RateLimit: removed',
      'openapi: GET /v1/search: 203 application/json: added',
      'openapi: GET /v1/search: 203 header X-Request-Id: added',
      'openapi: GET /v1/search: 203 header RateLimit-Policy: added',
      'openapi: GET /v1/search: 203 header RateLimit: added',
      'mcp (messages, events): search_posts: result of 200 application/json: removed',
    ],
  },
  {
    name: 'a success has another status',
    openapi: ({ paths }) => {
      const { responses } = paths['/v1/webhooks'].post
      responses['202'] = { content: responses['201'].content }
    },
    changes: ['openapi: POST /v1/webhooks: 202 application/json: added'],
  },
  {
    name: 'a content type of a response is removed',
    openapi: ({ paths }) => {
      const { content } = paths['/v1/stream'].get.responses['200']
      content['application/x-ndjson'] = content['text/event-stream']
      delete content['text/event-stream']
    },
    changes: ['openapi: GET /v1/stream: 200 text/event-stream: removed'],
  },
  {
    name: 'a header of a response is removed',
    openapi: (openapi) => delete submit(openapi)['responses']['202'].headers.Location,
    changes: ['openapi: POST /v1/posts: 202 header Location: removed'],
  },
  {
    name: 'an event is removed',
    asyncapi: (asyncapi) => delete asyncapi['components'].messages.postReview,
    changes: ['asyncapi: post.review: removed'],
  },
  {
    name: 'a field of an event is removed',
    asyncapi: (asyncapi) => delete asyncapi['components'].schemas.PostEvent.properties.url,
    changes: ['asyncapi: PostEvent.url: removed'],
  },
  {
    name: 'the name of an event changes in its payload',
    asyncapi: (asyncapi) => {
      asyncapi['components'].messages.postReview.payload.properties.type.const = 'post.reviewed'
    },
    changes: ['asyncapi: post.review: payload.type: value post.review removed'],
  },
  {
    name: 'a header of a delivery is removed',
    asyncapi: (asyncapi) => delete asyncapi['components'].schemas.DeliveryHeaders.properties['webhook-signature'],
    changes: ['asyncapi: DeliveryHeaders.webhook-signature: removed'],
  },
  {
    name: 'a problem is removed',
    problems: (problems) => {
      problems['problems'] = problems['problems'].filter(({ code }: Json) => code !== 'post_gone')
    },
    changes: ['problems: post_gone: removed'],
  },
  {
    name: 'a problem changes its status',
    problems: (problems) => {
      for (const problem of problems['problems']) if (problem.code === 'post_gone') problem.status = 404
    },
    changes: ['problems: post_gone: status 410 → 404'],
  },
  {
    name: 'a tool is removed',
    tools: (tools) => tools.splice(indexOf(tools, 'get_pricing'), 1),
    changes: ['mcp: get_pricing: removed'],
  },
  {
    name: 'a tool is renamed',
    tools: (tools) => {
      named(tools, 'get_pricing').name = 'list_prices'
    },
    changes: ['mcp: get_pricing: removed'],
  },
  {
    name: 'an argument of a tool becomes required',
    tools: (tools) => {
      named(tools, 'search_posts')['inputSchema'].required = ['limit']
    },
    changes: ['mcp: search_posts: arguments.limit: now required'],
  },
  {
    name: 'an argument of a tool is removed from the server for all sites',
    tools: (tools, server) => {
      if (server === 'all-sites') delete named(tools, 'get_post')['inputSchema'].properties.id
    },
    changes: ['mcp (all-sites): get_post: arguments.id: removed'],
  },
]
