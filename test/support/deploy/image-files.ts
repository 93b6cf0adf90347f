import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { repoDir } from '../../../tooling/services/state.ts'

const rules = readFileSync(join(repoDir, '.dockerignore'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))

/** As Docker reads the file: the last rule that matches the path or a folder above it decides. */
export function isInImage(path: string): boolean {
  const parts = path.split('/')
  const ancestors = parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  const decisive = rules.findLast((rule) => {
    const pattern = rule.replace(/^!/, '')
    // Node’s * does not match names that begin with a dot; Docker’s does.
    return pattern === '*' || ancestors.some((ancestor) => matchesGlob(ancestor, pattern))
  })
  return decisive?.startsWith('!') ?? true
}

export const repositoryFiles = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: repoDir,
  encoding: 'utf8',
})
  .split('\0')
  .filter((path) => path !== '' && existsSync(join(repoDir, path)))

/** Copies the files that the image is built from. Packages and weights are links. */
export function copyImageFiles(folder: string): void {
  for (const path of repositoryFiles.filter((file) => isInImage(file) && !file.startsWith('model/weights/'))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    cpSync(join(repoDir, path), join(folder, path))
  }
  for (const path of ['node_modules', 'model/weights']) symlinkSync(join(repoDir, path), join(folder, path))
}
