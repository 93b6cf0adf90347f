import { SPDX } from '@cyclonedx/cyclonedx-library'

/** As in the JSON of CycloneDX. */
export type Component = {
  type: 'library' | 'application' | 'operating-system'
  'bom-ref': string
  group?: string
  name: string
  version?: string
  scope?: 'required' | 'optional'
  hashes?: { alg: string; content: string }[]
  licenses?: ReturnType<typeof licenceOf>[]
  purl?: string
  properties?: { name: string; value: string }[]
}

export type Dependency = { ref: string; dependsOn: string[] }

/** What an artifact contains: all components, what each needs, and what the artifact itself needs. */
export type Parts = { components: Component[]; dependencies: Dependency[]; direct: string[] }

export function licenceOf(text: string) {
  if (SPDX.isSupportedSpdxId(text)) return { license: { id: text } }
  return / (?:OR|AND|WITH) /.test(text) ? { expression: text } : { license: { name: text } }
}
