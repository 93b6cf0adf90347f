import clientPackage from '../../../../client/package.json' with { type: 'json' }
import { referenceAddress } from '../../../contract/generators/reference-address.ts'
import type { DocumentSite } from '../document-site.ts'
import { readProjectFile, type TextFacts } from '../fill.ts'
import { codeFence, markdownTable } from '../markdown-parts.ts'

export function clientFacts(site: DocumentSite): TextFacts {
  return {
    package: clientPackage.name,
    node: `${clientPackage.engines.node.replace('>=', '')} or newer`,
    // The page already has a heading.
    readme: readProjectFile('client/README.md')
      .replace(/^# .*\n+/, '')
      .trim(),
    publish: codeFence('ts', publishProgram(site)),
    methods: markdownTable(
      ['Method', 'Operation', 'Description'],
      site.operations.map((operation) => [
        `\`${operation.id}\``,
        `[${operation.method} ${operation.path}](${referenceAddress(operation)})`,
        operation.summary,
      ]),
    ),
  }
}

/** The pages test compiles this program. */
const publishProgram = ({ baseUrl, kind }: DocumentSite): string => {
  const bodyType = `${kind.name.charAt(0).toUpperCase()}${kind.name.slice(1)}SubmitPostBody`
  return `import { setTimeout as pause } from 'node:timers/promises'
import { Broadside, type ${bodyType}, type PostStatus } from '${clientPackage.name}'

const broadside = new Broadside({ baseUrl: '${baseUrl}', apiKey: process.env['BROADSIDE_API_KEY'] ?? '' })
const post: ${bodyType} = ${JSON.stringify(kind.examples[0], null, 2)}

await broadside.submitPost(post, { dry_run: 'true' })
const submitted = await broadside.submitPost(post, {}, { idempotencyKey: 'my-first-${kind.name}' })

let record = submitted.body as PostStatus
while (record.status === 'queued') {
  await pause((record.moderation?.retry_after_seconds ?? 5) * 1000)
  const read = await broadside.getPost({ id: record.id })
  record = read.body as PostStatus
}
console.log(record.status, record.url ?? record.rejection?.reason)`
}
