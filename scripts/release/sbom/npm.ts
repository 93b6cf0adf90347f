import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Component, licenceOf, type Parts } from './component.ts'

/** An entry of package-lock.json. */
type Locked = {
  name?: string
  version: string
  resolved?: string
  integrity?: string
  license?: string
  dev?: boolean
  link?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** What a production installation of the service contains, from the lockfile, with licences and hashes. */
export function npmParts(root: string): Parts {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, Locked & { workspaces?: string[] }>
  }
  const { '': service, ...others } = packages
  const production = Object.entries(others).filter(([, locked]) => !locked.dev && !locked.link)
  /** Node's way to find a package, from the innermost folder outwards. */
  const find = (from: string, name: string): string | undefined => {
    for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
      const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
      const locked = packages[path]
      if (locked) return locked.link ? locked.resolved : path
      if (folder === '') return undefined
    }
  }
  const refOf = (path: string) => purl(nameOf(path, packages[path]), String(packages[path]?.version))
  const requires = (path: string, { dependencies, optionalDependencies, peerDependencies }: Locked) =>
    Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).flatMap((name) => {
      const found = find(path, name)
      return found === undefined || packages[found]?.dev ? [] : [refOf(found)]
    })
  const direct = [...requires('', service as Locked), ...(service?.workspaces ?? []).map(refOf)]
  const components = production.map(([path, locked]) => componentOf(nameOf(path, locked), locked))
  const dependencies = production.map(([path, locked]) => ({ ref: refOf(path), dependsOn: requires(path, locked) }))
  return { components, dependencies, direct }
}

/** Aliases and workspaces have a name of their own; others that of their folder. */
const nameOf = (path: string, locked: Locked | undefined) =>
  locked?.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

const purl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

function componentOf(fullName: string, { version, license, integrity, optional }: Locked): Component {
  const [, group, name = fullName] = /^(@[^/]+)\/(.+)$/.exec(fullName) ?? []
  const [algorithm, digest = ''] = integrity?.split('-') ?? []
  if (algorithm !== undefined && algorithm !== 'sha512') throw new Error(`${fullName} has a hash of type ${algorithm}.`)
  return {
    type: 'library',
    'bom-ref': purl(fullName, version),
    ...(group && { group }),
    name,
    version,
    scope: optional ? 'optional' : 'required',
    ...(digest && { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }),
    ...(license && { licenses: [licenceOf(license)] }),
    purl: purl(fullName, version),
  }
}
