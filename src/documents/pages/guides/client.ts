import clientPackage from '../../../../clients/typescript/package.json' with { type: 'json' }
import { referenceAddress } from '../../../contract/generators/reference-address.ts'
import type { DocumentSite } from '../document-site.ts'
import { readProjectFile, type TextFacts } from '../fill.ts'
import { codeFence, markdownTable } from '../markdown-parts.ts'

export function clientFacts(site: DocumentSite): TextFacts {
  return {
    package: clientPackage.name,
    node: `${clientPackage.engines.node.replace('>=', '')} or newer`,
    // The page already has a heading and says what the client is.
    readme: readProjectFile('clients/typescript/README.md')
      .replace(/^# .*\n+.*\n+/, '')
      .trim(),
    publish: codeFence('ts', publishProgram(site)),
    methods: markdownTable(
      ['Method', 'Operation', 'Description'],
      site.operations
        .filter(({ answersStream }) => !answersStream)
        .map((operation) => [
          `\`${operation.id}\``,
          `[${operation.method} ${operation.path}](${referenceAddress(operation)})`,
          operation.summary,
        ]),
    ),
  }
}

/** The pages test compiles this program. */
const publishProgram = ({ baseUrl, kind }: DocumentSite): string =>
  `import { Broadside, type PostBody } from '${clientPackage.name}'

const broadside = new Broadside({ baseUrl: '${baseUrl}' })
const post: PostBody['${kind.name}'] = ${JSON.stringify(kind.examples[0], null, 2)}

const { charge } = await broadside.check('${kind.name}', post)
const submitted = await broadside.publish('${kind.name}', post, { idempotencyKey: 'my-first-${kind.name}' })
const decided = await broadside.waitForDecision(submitted)
console.log(charge.total_micros, decided.status, decided.url ?? decided.rejection?.reason)`
