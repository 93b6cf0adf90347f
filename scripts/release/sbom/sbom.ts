import { createHash } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { sha256Of } from '../compare/compare.ts'
import { imageFile } from '../image/image.ts'
import { npmFile, sourceFile, wheelFile } from '../packages.ts'
import type { Release } from '../release.ts'
import { licenceOf, type Parts } from './component.ts'
import { npmParts } from './npm.ts'
import { nodePart, pythonParts, systemParts } from './other-parts.ts'

type Subject = {
  /** Name of the SBOM. */
  file: string
  name: string
  purl: string
  /** The artifact that it describes. */
  artifact: string
  parts: Parts
}

type Inventory = { source: string; out: string; packages: string | undefined }

/** One CycloneDX 1.6 document each for the service, the npm package and the Python package. Returns their names. */
export async function writeSboms(release: Release, { source, out, packages }: Inventory): Promise<string[]> {
  const { version } = release
  const service = npmParts(source)
  const node = nodePart(source)
  const system = packages === undefined ? { components: [], dependencies: [], direct: [] } : systemParts(packages)
  const subjects: Subject[] = [
    {
      file: `broadside-service-${version}.cdx.json`,
      name: 'broadside-service',
      purl: `pkg:generic/broadside-service@${version}`,
      artifact: packages === undefined ? sourceFile(release) : imageFile(release),
      parts: joined(service, node, system),
    },
    {
      file: `broadside-${version}.tgz.cdx.json`,
      name: 'broadside',
      purl: `pkg:npm/broadside@${version}`,
      artifact: npmFile(release),
      parts: joined(),
    },
    {
      file: `broadside-${version}.whl.cdx.json`,
      name: 'broadside',
      purl: `pkg:pypi/broadside@${version}`,
      artifact: wheelFile(release),
      parts: pythonParts(source),
    },
  ]
  for (const subject of subjects) await writeSbom(release, { subject, out })
  return subjects.map(({ file }) => file)
}

const joined = (...parts: Parts[]): Parts => ({
  components: parts.flatMap(({ components }) => components),
  dependencies: parts.flatMap(({ dependencies }) => dependencies),
  direct: parts.flatMap(({ direct }) => direct),
})

async function writeSbom(release: Release, { subject, out }: { subject: Subject; out: string }): Promise<void> {
  const { file, name, purl, artifact, parts } = subject
  const { version, commit, date } = release
  const path = join(out, artifact)
  const hashes = existsSync(path) ? [{ alg: 'SHA-256', content: await sha256Of(path) }] : []
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(`${commit} ${file}`)}`,
    version: 1,
    metadata: {
      timestamp: date.toISOString(),
      tools: { components: [{ type: 'application', name: 'npm run release', version }] },
      component: {
        ...{ type: 'application', 'bom-ref': purl, name, version, hashes },
        ...{ licenses: [licenceOf('Apache-2.0')], purl },
        properties: [
          { name: 'broadside:artifact', value: artifact },
          { name: 'broadside:commit', value: commit },
        ],
      },
    },
    components: onceEach(parts.components, (component) => component['bom-ref']),
    dependencies: onceEach([{ ref: purl, dependsOn: parts.direct }, ...parts.dependencies], ({ ref }) => ref).map(
      ({ ref, dependsOn }) => ({ ref, dependsOn: [...new Set(dependsOn)].sort() }),
    ),
  }
  const text = `${JSON.stringify(document, null, 2)}\n`
  await assertValid(file, text)
  writeFileSync(join(out, file), text)
}

/** Sorted and without repetitions: npm may install a version in several folders. */
function onceEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const byKey = new Map(items.map((item) => [keyOf(item), item]))
  return [...byKey].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item)
}

/** A UUID of version 8 that the text decides. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  )
}

/** Validates against the official JSON schema of CycloneDX 1.6. */
export async function assertValid(file: string, text: string): Promise<void> {
  const faults = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
  if (faults !== null) throw new Error(`${file} is not valid CycloneDX 1.6: ${JSON.stringify(faults).slice(0, 2_000)}`)
}
