import { inputSchema } from '../../../../contract/generators/json-schema.ts'
import { streamLimits } from '../../../../contract/stream-limits.ts'
import { examplePublicPost } from '../../../../posts/public/public-post.ts'
import { listingSize } from '../../../../publishing/views.ts'
import { writeStreamCursor } from '../../../../stream/cursor.ts'
import type { DocumentSite } from '../../document-site.ts'
import { exampleFences } from '../../examples/call-fences.ts'
import { localised, operationNamed } from '../../examples/examples.ts'
import type { TextFacts } from '../../fill.ts'
import { codeFence, markCode, markdownTable } from '../../markdown-parts.ts'
import { fieldsOf } from '../../schema-fields.ts'

export const streamFacts = (site: DocumentSite): TextFacts => ({
  follow: exampleFences(site, 'streamPosts'),
  follow_own: exampleFences(site, 'streamPosts', { credential: 'BROADSIDE_API_KEY', query: { scope: 'mine' } }),
  wire: wire(site),
  heartbeat: String(streamLimits.heartbeatSeconds),
  silence: String(3 * streamLimits.heartbeatSeconds),
  blocked: String(streamLimits.blockedSeconds),
  per_address: String(streamLimits.perAddress),
  per_account: String(streamLimits.perAccount),
  shelf_size: String(listingSize),
  filters: markdownTable(
    ['Parameter', 'Description'],
    fieldsOf(inputSchema(operationNamed(site, 'streamPosts').query as never)).map((field) => [
      `\`${field.path}\``,
      [markCode(field.description), ...field.limits].filter(Boolean).join(' · '),
    ]),
  ),
  no_gap: [codeFence('ts', noGapInTypeScript(site)), codeFence('python', noGapInPython(site))].join('\n\n'),
})

/** The beginning of a stream, as a terminal shows it. The post is cut. */
function wire(site: DocumentSite): string {
  const { id, kind, url } = localised(site, examplePublicPost(site.kind))
  const shown = JSON.stringify({ id, kind, url }).replace(/\}$/, ',…}')
  const before = writeStreamCursor({ position: 41_827, token: 91_427_301, at: new Date('2026-11-15T11:59:58Z') })
  const published = writeStreamCursor({ position: 41_828, token: 5_830_114, at: new Date('2026-11-15T12:00:04Z') })
  return `retry: 1730
: connected
id: ${before}

id: ${published}
event: post.published
data: ${shown}

:
id: ${published}`
}

const noGapInTypeScript = ({ kind: { name } }: DocumentSite) => `import { Broadside } from 'broadside'

const broadside = new Broadside()
const after = await broadside.streamCursor({ kind: '${name}' })
const copies = new Map<string, unknown>()
for await (const post of broadside.posts('${name}')) copies.set(post.id, post)
const events = broadside.stream({ kind: '${name}', after })
for await (const { type, data } of events) {
  if (type === 'post.removed') copies.delete(data.id)
  else copies.set(data.id, data)
  console.log(type, data.id, copies.size)
}`

const noGapInPython = ({ kind: { name } }: DocumentSite) => `from typing import Any

from broadside import Broadside

broadside = Broadside()
after = broadside.stream_cursor(kind="${name}")
copies: dict[str, Any] = {}
for post in broadside.posts("${name}"):
    copies[post["id"]] = post
for event in broadside.stream(kind="${name}", after=after):
    id = event["data"]["id"]
    if event["type"] == "post.removed":
        copies.pop(id, None)
    else:
        copies[id] = event["data"]
    print(event["type"], id, len(copies))`
