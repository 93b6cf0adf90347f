import { matchesGlob } from 'node:path'

/** Wrong lines of a CODEOWNERS file: owners that are none, and paths that match no file. */
export function faultsOfCodeOwners(text: string, files: readonly string[]): string[] {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .filter((line) => line !== '')
  return lines.flatMap((line) => {
    const [path = '', ...owners] = line.split(/\s+/)
    const wrong = owners.filter((owner) => !/^@[\w-]+(?:\/[\w-]+)?$|^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(owner))
    return [
      ...(owners.length === 0 ? [`${path} has no owner.`] : []),
      ...wrong.map((owner) => `${owner} is neither a user, a team nor an address.`),
      ...(files.some((file) => isOwned(file, path)) ? [] : [`${path} matches no file.`]),
    ]
  })
}

/** As in .gitignore: a slash at the end takes the whole folder, one at the beginning means the root. */
function isOwned(file: string, path: string): boolean {
  const rooted = path.startsWith('/') ? path.slice(1) : path.includes('/', 0) ? path : `**/${path}`
  return matchesGlob(file, rooted.endsWith('/') ? `${rooted}**` : rooted) || (path === '*' && file !== '')
}
