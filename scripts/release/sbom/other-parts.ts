import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pythonPackages } from '../../../tooling/licences/other-parts.ts'
import { type Component, licenceOf, type Parts } from './component.ts'

/** The Node that runs the service. In an installation the npm package `node` brings it, in the image another image. */
export function nodePart(root: string): Parts {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const version = String(dependencies['node'])
  const ref = `pkg:generic/node@${version}`
  const node: Component = { type: 'application', 'bom-ref': ref, name: 'node', version, scope: 'required', purl: ref }
  return leaves([{ ...node, licenses: [licenceOf('MIT')] }])
}

/** The metadata of the Python client names only ranges of versions, and no licences. */
export function pythonParts(root: string): Parts {
  const text = readFileSync(join(root, 'clients/python/pyproject.toml'), 'utf8')
  const list = /^dependencies = (\[.*\])$/m.exec(text)?.[1]
  if (list === undefined) throw new Error('pyproject.toml has no dependencies on one line.')
  return leaves(
    (JSON.parse(list) as string[]).map((requirement) => {
      const [, name = '', range = ''] = /^([\w.-]+)(.*)$/.exec(requirement) ?? []
      const licence = pythonPackages.find((part) => part.name === name)?.licence
      if (licence === undefined) throw new Error(`tooling/licences/other-parts.ts has no licence for ${name}.`)
      const purl = `pkg:pypi/${name}`
      const properties = [{ name: 'broadside:version-range', value: range }]
      const component = { type: 'library' as const, 'bom-ref': purl, name, scope: 'required' as const }
      return { ...component, licenses: [licenceOf(licence)], purl, properties }
    }),
  )
}

/** The Debian packages in the image, from the list of dpkg. Their licences are in the image, in /usr/share/doc. */
export function systemParts(dpkgStatus: string): Parts {
  const packages = dpkgStatus.split('\n\n').map((paragraph) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(paragraph)?.[1] ?? ''
    const [name, version, architecture] = [field('Package'), field('Version'), field('Architecture')]
    return { name, version, architecture, isInstalled: field('Status') === 'install ok installed' }
  })
  return leaves(
    packages
      .filter(({ isInstalled }) => isInstalled)
      .map(({ name, version, architecture }) => {
        const path = `${encodeURIComponent(name)}@${encodeURIComponent(version)}`
        const purl = `pkg:deb/debian/${path}?arch=${architecture}&distro=debian-12`
        return { type: 'library', 'bom-ref': purl, name, version, scope: 'required', purl }
      }),
  )
}

/** Components whose own dependencies are not described. */
const leaves = (components: Component[]): Parts => {
  const direct = components.map((component) => component['bom-ref'])
  return { components, dependencies: direct.map((ref) => ({ ref, dependsOn: [] })), direct }
}
