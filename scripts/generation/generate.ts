import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { printClient } from '../../src/contract/generators/client/print-client.ts'
import { commandLineModule } from '../../src/contract/generators/command-line/print-command-line.ts'
import { printPythonClient } from '../../src/contract/generators/python/print-python-client.ts'
import { exampleDeployment, siteDocuments } from '../../src/documents/site-documents.ts'
import { kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { renderNotice } from '../../tooling/licences/notice.ts'
import { flag, readOptions, runScript } from '../../tooling/script-options.ts'
import { contractReports } from './contract-reports.ts'
import { placeTables } from './places.ts'
import { schemaDocuments } from './schema-documents.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** Not generated here: `npm run eval` writes and checks it. */
const scoreboard = 'generated/moderation-scoreboard.json'
const pythonFolder = 'clients/python/src/broadside/_generated'

const details = `Writes all files that are generated from the registries and the schema.

  --check   writes nothing and exits with 1 if a committed file is out of date`

await runScript({ command: 'npm run generate', details }, (args) => generate(readOptions(args, { check: flag }).check))

/** Writes the generated files, or compares them with the committed ones. */
async function generate(isCheck: boolean) {
  const derived = new Map([
    ...documents(),
    ...placeTables(),
    ...(await schemaDocuments()),
    ...client(),
    ...pythonClient(),
    ['clients/typescript/src/cli/generated.ts', commandLineModule()] as const,
    ['NOTICE.md', renderNotice(root)] as const,
  ])
  const changed = await update(derived, isCheck)
  // They are read from the clients, which must be written before.
  const reports = new Map(await contractReports())
  changed.push(...(await update(reports, isCheck)))
  const stale = (await Promise.all(['generated', pythonFolder].map(filesIn)))
    .flat()
    .filter((path) => !derived.has(path) && !reports.has(path) && path !== scoreboard)
  if (isCheck) return report([...changed, ...stale])
  for (const path of stale) await rm(join(root, path))
  const total = derived.size + reports.size
  console.log(`${total} generated files: ${changed.length} changed, ${stale.length} removed.`)
}

/** Writes the files that differ, unless this is a check, and returns their paths. */
async function update(files: ReadonlyMap<string, string>, isCheck: boolean): Promise<string[]> {
  const changed: string[] = []
  for (const [path, content] of files)
    if ((await readFile(join(root, path), 'utf8').catch(() => '')) !== content) changed.push(path)
  if (!isCheck) for (const path of changed) await write(path, String(files.get(path)))
  return changed
}

function report(different: string[]) {
  if (different.length === 0) return console.log('All generated files are up to date.')
  console.error(`These files are out of date. Run \`npm run generate\` and commit:\n  ${different.join('\n  ')}`)
  process.exitCode = 1
}

async function write(path: string, content: string) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

/** Python keeps its compiled modules beside the sources. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.pyc'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}

function documents() {
  return [...siteDocuments(exampleDeployment)].map(([path, content]) => [`generated/${path}`, content] as const)
}

function client() {
  const files = printClient(new Map(kinds.map((kind) => [kind.name, operationsOf(kind)])))
  return [...files].map(([name, content]) => [`clients/typescript/src/generated/${name}`, content] as const)
}

function pythonClient() {
  const modules = printPythonClient(new Map(kinds.map((kind) => [kind.name, operationsOf(kind)])))
  return [...modules].map(([name, content]) => [`${pythonFolder}/${name}`, content] as const)
}
