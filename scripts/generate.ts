import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { exampleDeployment, siteDocuments } from '../src/bin/site-documents.ts'
import { printClient } from '../src/contract/print-client.ts'
import { kinds } from '../src/kinds/index.ts'
import { operationsOf } from '../src/operations.ts'
import { migratedDatabase } from './services/databases.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

if (process.argv.includes('--help')) {
  console.log(
    'Usage: npm run generate [-- --check]\n\nWrites everything that derives from the registries and the schema.',
  )
  console.log('  --check  writes nothing and exits 1 when a committed file differs')
} else await generate(process.argv.includes('--check'))

/** Writes what is derived, or compares it with what is committed. */
async function generate(isCheck: boolean) {
  const derived = new Map([...documents(), ...(await fromSchema()), ['client/src/generated.ts', client()] as const])
  const stale = (await readdir(join(root, 'generated'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
    .filter((path) => !derived.has(path))
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
  const [printed, ...others] = new Set(kinds.map((kind) => printClient(operationsOf(kind))))
  if (printed === undefined || others.length > 0)
    throw new Error('The sites differ: the printer must learn types by kind.')
  return printed
}

/** The schema after all migrations, and the types of its tables, from a database made for the purpose. */
async function fromSchema(): Promise<[string, string][]> {
  await using database = await migratedDatabase('generate')
  const folder = await mkdtemp(join(tmpdir(), 'broadside-'))
  try {
    const types = join(folder, 'types.ts')
    const mapping = JSON.stringify({ int8: 'number' })
    const options = [
      '--dialect',
      'postgres',
      '--type-mapping',
      mapping,
      '--date-parser',
      'string',
      '--log-level',
      'error',
    ]
    await run('kysely-codegen', ['--url', database.adminUrl, '--out-file', types, ...options])
    const { stdout } = await run('pg_dump', ['--schema-only', '--no-owner', database.adminUrl], { maxBuffer: 64 << 20 })
    return [
      ['src/platform/database-types.ts', await readFile(types, 'utf8')],
      ['schema.sql', withoutVersions(stdout)],
    ]
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** What changes with the machine and not with the schema: versions, and the random word that recent dumps begin with. */
function withoutVersions(dump: string): string {
  const isNoise = (line: string) =>
    /^(-- Dumped (from|by)|\\(un)?restrict |SET (transaction_timeout|default_table_access_method))/.test(line)
  const lines = dump.split('\n').filter((line) => !isNoise(line))
  return `${lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()}\n`
}
