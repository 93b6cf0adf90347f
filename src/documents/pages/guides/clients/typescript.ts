import clientPackage from '../../../../../clients/typescript/package.json' with { type: 'json' }
import type { DocumentSite } from '../../document-site.ts'
import { typescriptLiteral } from '../../examples/typescript.ts'
import { readProjectFile, type TextFacts } from '../../fill.ts'
import { codeFence } from '../../markdown-parts.ts'
import { methodTable } from './method-table.ts'

export const typescriptFacts = (site: DocumentSite): TextFacts => ({
  package: clientPackage.name,
  node: `${clientPackage.engines.node.replace('>=', '')} or newer`,
  readme: readmeOf('typescript', site),
  publish: codeFence('ts', publishProgram(site)),
  methods: methodTable(site.operations, (id) => id),
})

/** The client's own description, without its heading and first paragraph, because the page has both. */
export const readmeOf = (client: 'typescript' | 'python', { baseUrl }: DocumentSite): string =>
  readProjectFile(`clients/${client}/README.md`)
    .replace(/^# .*\n+(?:.+\n)+\n/, '')
    .replaceAll('https://messages.broadside.example', baseUrl)
    .trim()

/** The pages test compiles this program. */
const publishProgram = ({ kind }: DocumentSite): string =>
  `import { Broadside, type PostBody } from '${clientPackage.name}'

const broadside = new Broadside()
const post: PostBody['${kind.name}'] = ${typescriptLiteral(kind.examples[0])}

const { charge } = await broadside.check('${kind.name}', post)
const submitted = await broadside.publish('${kind.name}', post, { idempotencyKey: 'my-first-${kind.name}' })
const decided = await broadside.waitForDecision(submitted)
console.log(charge.total_micros, decided.status, decided.url ?? decided.rejection?.reason)`
