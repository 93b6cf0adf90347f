import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { SourceFile } from 'typescript/unstable/ast'
import { createVirtualFileSystem } from 'typescript/unstable/fs'
import { API, type Project } from 'typescript/unstable/sync'
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

/**
 * What code that imports the client can name, call and receive. Several states of the client are read together, since
 * starting the compiler takes most of the time.
 */
export function readDeclarations(states: readonly Declarations[]): Contract[] {
  const files = states.flatMap((state, index) =>
    Object.entries(state).map(([path, text]) => [`/types/${index}/${path}`, text] as const),
  )
  const config = { compilerOptions: { noLib: true, types: [], module: 'nodenext' }, files: files.map(([path]) => path) }
  const fs = createVirtualFileSystem({
    ...Object.fromEntries(files),
    '/types/tsconfig.json': JSON.stringify(config),
  })
  const api = new API({ cwd: '/types', fs })
  try {
    const [project] = api.updateSnapshot({ openProject: '/types/tsconfig.json' }).getProjects()
    if (!project) throw new Error('The compiler cannot read the declarations of the client.')
    return states.map((state, index) => {
      const sources = Object.keys(state).map((path) => [path, sourceOf(project, `/types/${index}/${path}`)] as const)
      return readExports(new Map(sources), entryPoints)
    })
  } finally {
    api.close()
  }
}

function sourceOf(project: Project, path: string): SourceFile {
  const source = project.program.getSourceFile(path)
  if (!source) throw new Error(`The compiler cannot read ${path}.`)
  return source
}
