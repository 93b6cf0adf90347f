import { kindNamed } from '../posts/create-post.ts'

/** A request as a program sends it. */
export type Sent =
  | {
      kind: string
      method: string
      path: string
      headers?: Record<string, string>
      body?: unknown
      /** How the body is written. */
      as?: 'json' | 'form' | 'text'
    }
  | { tool: string; given: Record<string, unknown>; at: string }

/** What exists before the mistakes are made. */
export type Scene = { apiKey: string; ownMessage: string; publicStory: string; usedIdempotencyKey: string }

export type Mistake = {
  name: string
  /** What is right, for people who judge the response. */
  fix: string
  send: (scene: Scene) => Sent
  /** The request that a person would send next, where the response cannot know it. */
  corrected?: (scene: Scene) => Sent
}

const text = 'The ferry between Lisbon and Cacilhas runs every ten minutes again from Monday.'
const body = 'The rain cover and both keys come with it. To be collected in Utrecht on any weekday.'
const times = {
  timezone: 'Europe/Lisbon',
  starts_at: '2030-06-15T18:00:00+01:00',
  ends_at: '2030-06-15T22:00:00+01:00',
}
const ad = { title: 'Cargo bicycle, two years old', body, category: 'vehicles' }
const dryRun = '/v1/posts?dry_run=true'

const keyed = ({ apiKey }: Scene) => ({ authorization: `Bearer ${apiKey}` })
const submit = (kind: string, content: unknown) => (scene: Scene) => ({
  ...{ kind, method: 'POST', path: dryRun, headers: keyed(scene), body: content },
})
const call =
  (method: string, path: string, kind = 'message') =>
  (scene: Scene) => ({
    ...{ kind, method, path, headers: keyed(scene) },
  })
const postAt =
  (path: string, own = text) =>
  (scene: Scene): Sent => ({ kind: 'message', method: 'POST', path, headers: keyed(scene), body: { text: own } })
const withHeaders = (headers: (scene: Scene) => Record<string, string>) => (scene: Scene) => ({
  ...{ kind: 'message', method: 'GET', path: '/v1/account', headers: headers(scene) },
})

/** Mistakes that developers and models make, with what is right. */
export const mistakes: readonly Mistake[] = [
  { name: 'The text in `content`', fix: '`text`', send: submit('message', { content: text }) },
  { name: 'The text in `message`', fix: '`text`', send: submit('message', { message: text }) },
  { name: '`tags` for `topics`', fix: '`topics`', send: submit('message', { text, tags: ['ferries'] }) },
  { name: '`topics` as a string', fix: 'an array', send: submit('message', { text, topics: 'ferries' }) },
  {
    name: 'A city by its name',
    fix: 'with its geonames_id, from GET /v1/places',
    send: submit('message', { text, location: { country: 'PT', city: { name: 'Lisbon' } } }),
  },
  {
    name: 'The city as a string',
    fix: 'an object with geonames_id and name',
    send: submit('message', { text, location: { country: 'PT', city: 'Lisbon' } }),
  },
  {
    name: 'The location as a string',
    fix: 'an object with country and city',
    send: submit('message', { text, location: 'Lisbon, Portugal' }),
  },
  {
    name: 'An invented geonames_id',
    fix: 'the id of Lisbon',
    send: submit('message', { text, location: { country: 'PT', city: { geonames_id: 12345, name: 'Lisbon' } } }),
  },
  {
    name: 'The name of a country',
    fix: 'its code, PT',
    send: submit('message', { text, location: { country: 'Portugal' } }),
  },
  {
    name: 'The postal code of a state',
    fix: 'US-OR',
    send: submit('classified', { ...ad, location: { country: 'US', state: 'OR' } }),
  },
  {
    name: 'A story’s text in `description`',
    fix: '`body`',
    send: submit('story', {
      title: 'A short story',
      description: (kindNamed('story').examples[0] as { body: string }).body,
    }),
  },
  {
    name: '`start` and `end` of an event',
    fix: '`starts_at` and `ends_at`',
    send: submit('event', {
      title: 'Open evening',
      body,
      timezone: times.timezone,
      start: times.starts_at,
      end: times.ends_at,
    }),
  },
  {
    name: 'A time without an offset',
    fix: 'with an offset such as +01:00',
    send: submit('event', { title: 'Open evening', body, ...times, starts_at: '2030-06-15T18:00:00' }),
    corrected: submit('event', { title: 'Open evening', body, ...times }),
  },
  { name: 'The price as text', fix: 'an object', send: submit('classified', { ...ad, price: '1450 EUR' }) },
  { name: 'A category in other words', fix: 'for-sale', send: submit('classified', { ...ad, category: 'for_sale' }) },
  { name: 'JSON inside a JSON string', fix: 'the object itself', send: submit('message', JSON.stringify({ text })) },
  { name: 'An array of posts', fix: 'one object', send: submit('message', [{ text }]) },
  {
    name: 'A form instead of JSON',
    fix: 'Content-Type: application/json',
    send: (scene) => ({ ...submit('message', { text })(scene), as: 'form' }),
  },
  {
    name: 'A text that is too long',
    fix: 'at most 500 characters',
    send: submit('message', { text: `${text} `.repeat(20) }),
    corrected: submit('message', { text }),
  },
  { name: '`dry_run=1`', fix: 'dry_run=true', send: postAt('/v1/posts?dry_run=1') },
  { name: '`dryRun=true`', fix: 'dry_run=true', send: postAt('/v1/posts?dryRun=true') },
  {
    name: 'A page number',
    fix: 'the cursor',
    send: call('GET', '/v1/posts?page=2'),
    corrected: call('GET', '/v1/posts'),
  },
  {
    name: 'The path `/v1/messages`',
    fix: 'POST /v1/posts',
    send: postAt('/v1/messages', 'A library in Porto lends tools: drills, ladders and a sewing machine.'),
  },
  {
    name: 'The path `/api/v1/posts`',
    fix: 'POST /v1/posts',
    send: postAt('/api/v1/posts', 'Snow closed the mountain road near Andermatt until noon.'),
  },
  {
    name: 'A path for the status of a post',
    fix: 'GET /v1/posts/{id}',
    send: (scene) => call('GET', `/v1/posts/${scene.ownMessage}/status`)(scene),
  },
  {
    name: 'PUT to change a post',
    fix: 'PATCH',
    send: (scene) => ({
      ...call('PUT', `/v1/posts/${scene.ownMessage}`)(scene),
      body: { text: 'Ferries to Cacilhas are free on Sundays in March.' },
    }),
  },
  {
    name: 'A story read at the message site',
    fix: 'the site that the response names',
    send: (scene) => call('GET', `/v1/posts/${scene.publicStory}`)(scene),
  },
  {
    name: 'The key without Bearer',
    fix: 'Authorization: Bearer <key>',
    send: withHeaders(({ apiKey }) => ({ authorization: apiKey })),
  },
  {
    name: 'The key in X-API-Key',
    fix: 'Authorization: Bearer <key>',
    send: withHeaders(({ apiKey }) => ({ 'x-api-key': apiKey })),
  },
  {
    name: 'An Idempotency-Key for another body',
    fix: 'a new key',
    send: (scene) => ({
      ...{
        kind: 'message',
        method: 'POST',
        path: '/v1/posts',
        body: { text: 'Three beehives on the roof of the town hall gave honey this year.' },
      },
      headers: { ...keyed(scene), 'idempotency-key': scene.usedIdempotencyKey },
    }),
  },
  {
    name: 'Tool: the text in `content`',
    fix: '`text`',
    send: () => ({ tool: 'check_message', given: { content: text }, at: 'message' }),
  },
  {
    name: 'Tool for all sites: an unknown kind and status',
    fix: 'one of the listed values',
    send: () => ({ tool: 'list_my_posts', given: { kind: 'messages', status: 'publish' }, at: 'all' }),
  },
]
