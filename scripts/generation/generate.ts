import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printClient } from '../../src/contract/generators/client.ts'
import { exampleDeployment, siteDocuments } from '../../src/documents/site-documents.ts'
import { kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { placeTables } from './places.ts'
import { schemaDocuments } from './schema-documents.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Derives from nothing: `npm run eval` measures it, and its own check holds it. */
const measured = 'generated/moderation-scoreboard.json'

if (process.argv.includes('--help')) {
  console.log(
    'Usage: npm run generate [-- --check]\n\nWrites everything that derives from the registries and the schema.',
  )
  console.log('  --check  writes nothing and exits 1 when a committed file differs')
} else await generate(process.argv.includes('--check'))

/** Writes what is derived, or compares it with what is committed. */
async function generate(isCheck: boolean) {
  const derived = new Map([
    ...documents(),
    ...placeTables(),
    ...(await schemaDocuments()),
    ['client/src/generated.ts', client()] as const,
  ])
  const stale = (await readdir(join(root, 'generated'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((path) => !derived.has(path) && path !== measured)
  const changed: string[] = []
  for (const [path, content] of derived)
    if ((await readFile(join(root, path), 'utf8').catch(() => '')) !== content) changed.push(path)
  if (isCheck) return report([...changed, ...stale])
  for (const path of changed) await write(path, String(derived.get(path)))
  for (const path of stale) await rm(join(root, path))
  console.log(`${derived.size} derived files, ${changed.length} changed, ${stale.length} removed.`)
}

function report(different: string[]) {
  if (different.length === 0) return console.log('Every derived file is what the registries and the schema give.')
  console.error(
    `These files are not what the sources give; run \`npm run generate\` and commit:\n  ${different.join('\n  ')}`,
  )
  process.exitCode = 1
}

async function write(path: string, content: string) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

function documents() {
  return [...siteDocuments(exampleDeployment)].map(([path, content]) => [`generated/${path}`, content] as const)
}

function client(): string {
  return printClient(new Map(kinds.map((kind) => [kind.name, operationsOf(kind)])))
}
