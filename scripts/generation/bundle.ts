import { readFileSync, rmSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { UsageError } from '../../src/bin/command.ts'
import { readOptions, runScript, textOr } from '../../tooling/script-options.ts'

const repository = join(import.meta.dirname, '../..')

/** Threads and child processes are files of their own. */
const threads: Record<string, string> = {
  'src/publishing/cards/drawing-child.ts': 'drawing-child',
  'src/publishing/rebuild/thread.ts': 'rebuild-thread',
  'model/server/local/threads/scoring-thread.ts': 'scoring-thread',
}

/** They load a file of machine code, which must stay beside them. */
const packagesWithMachineCode = ['@napi-rs/canvas', 'onnxruntime-node']

const details = `Writes the program and the packages that it loads into dist/program, in a few files of plain JavaScript. With
NODE_ENV=production, Broadside runs them if they exist.

  --name NAME   another folder in dist, as tests use it`

await runScript({ command: 'npm run bundle', details }, async (args) => {
  const { name } = readOptions(args, { name: textOr('program') })
  if (!/^[a-z0-9-]+$/.test(name)) throw new UsageError(`--name must be the name of a folder in dist, not '${name}'.`)
  const folder = join(repository, 'dist', name)
  rmSync(folder, { recursive: true, force: true })
  await writeBundle(folder)
})

/** The sources stay: source maps and the files that the program reads are beside them. */
async function writeBundle(folder: string): Promise<void> {
  await build({
    absWorkingDir: repository,
    entryPoints: [
      { in: 'src/bin/startup/main.ts', out: 'main' },
      ...Object.entries(threads).map(([source, out]) => ({ in: source, out })),
    ],
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node26',
    format: 'esm',
    // Not tsconfig.json, which is not everywhere: the same sources give the same bytes.
    tsconfigRaw: {},
    // Of two forms of a package, the one whose unused parts can be left out.
    mainFields: ['module', 'main'],
    sourcemap: 'linked',
    sourcesContent: false,
    minifySyntax: true,
    minifyWhitespace: true,
    external: packagesWithMachineCode,
    plugins: [pathsOfSources(), modulesOfNode()],
    // Packages in CommonJS call require.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module';const require = makeRequire(import.meta.url);",
    },
    logLevel: 'warning',
  })
}

/** The program finds its files beside its sources, and its threads beside the bundle. */
function pathsOfSources(): Plugin {
  const rewritten = (file: string, text: string) =>
    text
      .replaceAll(/new URL\('([^']+\.ts)', import\.meta\.url\)/g, (whole, target: string) => {
        const thread = threads[join(dirname(file), target)]
        // In brackets, so that the next replacement does not find it.
        return thread ? `new URL('./${thread}.js', import.meta['url'])` : whole
      })
      .replaceAll('import.meta.url', `new URL('../../${file}', import.meta.url)`)
      .replaceAll(
        'import.meta.dirname',
        `require('node:url').fileURLToPath(new URL('../../${dirname(file)}', import.meta.url))`,
      )
  return {
    name: 'paths of sources',
    setup: (bundler) => {
      bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const file = relative(repository, path)
        if (file.startsWith('node_modules/')) return undefined
        return { contents: rewritten(file, readFileSync(path, 'utf8')), loader: 'ts' }
      })
    },
  }
}

/**
 * An import of a module of Node reads all its properties, and some load much: `node:http` has a WebSocket. require does
 * not read them.
 */
function modulesOfNode(): Plugin {
  const names = new RegExp(`^(?:node:.*|${builtinModules.join('|')})$`)
  return {
    name: 'modules of Node',
    setup: (bundler) => {
      bundler.onResolve({ filter: names }, ({ path, kind }) =>
        kind === 'import-statement' ? { path, namespace: 'node' } : { path, external: true },
      )
      bundler.onLoad({ filter: /./, namespace: 'node' }, ({ path }) => ({
        contents: `module.exports = require(${JSON.stringify(path)})`,
        loader: 'js',
      }))
    },
  }
}
