import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { SourceFile } from 'typescript/unstable/ast'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'
import type { Contract } from '../contract.ts'
import { readExports } from './declarations.ts'

/** The declarations of the TypeScript client, by file, as its package has them. */
export type Declarations = Record<string, string>

const entryPoints = { broadside: 'index.d.ts', 'broadside/verify': 'verify/index.d.ts' }

export function emitDeclarations(root: string): Declarations {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-types-'))
  try {
    const tsc = join(root, 'node_modules/.bin/tsc')
    execFileSync(tsc, ['-p', join(root, 'clients/typescript'), '--emitDeclarationOnly', '--outDir', folder])
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = files.map((entry) => join(entry.parentPath, entry.name))
    return Object.fromEntries(paths.map((path) => [relative(folder, path), readFileSync(path, 'utf8')]))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What code that imports the client can name, call and receive. */
export function readDeclarations(declarations: Declarations): Contract {
  const folder = '/types'
  const files = Object.fromEntries(Object.entries(declarations).map(([path, text]) => [`${folder}/${path}`, text]))
  const config = { compilerOptions: { noLib: true, types: [], module: 'nodenext' }, files: Object.keys(declarations) }
  const fs = createVirtualFileSystem({ ...files, [`${folder}/tsconfig.json`]: JSON.stringify(config) })
  const api = new API({ cwd: folder, fs })
  try {
    const [project] = api.updateSnapshot({ openProject: `${folder}/tsconfig.json` }).getProjects()
    const sources = new Map<string, SourceFile>()
    for (const path of Object.keys(declarations)) {
      const source = project?.program.getSourceFile(`${folder}/${path}`)
      if (!source) throw new Error(`The compiler cannot read ${path}.`)
      sources.set(path, source)
    }
    return readExports(sources, entryPoints)
  } finally {
    api.close()
  }
}
