import assert from 'node:assert/strict'
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../../tooling/services/state.ts'
import { releaseOf } from '../release.ts'
import type { Component, Dependency } from './component.ts'
import { assertValid, writeSboms } from './sbom.ts'

const packages = `Package: libc6
Status: install ok installed
Architecture: amd64
Version: 2.36-9+deb12u13

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1.0
`
const release = releaseOf(repoDir)

type Sbom = { serialNumber: string; components: Component[]; dependencies: Dependency[] }

async function sboms(): Promise<Map<string, string>> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-sbom-'))
  const files = await writeSboms(release, { source: repoDir, out: folder.path, packages })
  return new Map(files.map((file) => [file, readFileSync(join(folder.path, file), 'utf8')]))
}

const written = await sboms()
const read = (part: string) => JSON.parse(String([...written].find(([file]) => file.includes(part))?.[1])) as Sbom

test('the SBOMs are valid CycloneDX 1.6, and the validation finds faults', async () => {
  assert.equal(written.size, 3)
  for (const [file, text] of written) await assertValid(file, text)
  const service = String([...written][0]?.[1])
  const faults = [
    service.replace('"version": 1,', '"version": "one",'),
    service.replace('"alg": "SHA-512"', '"alg": "SHA-513"'),
    service.replace('"urn:uuid:', '"uuid:'),
    service.replace('"bomFormat"', '"format"'),
  ]
  for (const fault of faults) await assert.rejects(assertValid('sbom', fault), /is not valid CycloneDX 1\.6/)
})

test('the SBOM of the service has each production package with licence and hash', () => {
  const { components } = read('service')
  const lock = JSON.parse(readFileSync(join(repoDir, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean; link?: boolean }>
  }
  const production = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.startsWith('node_modules/') && !dev && !link,
  )
  assert.ok(production.length > 100)
  for (const [path, { version }] of production) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const found = components.find(({ purl }) => purl === `pkg:npm/${name.replace('@', '%40')}@${version}`)
    assert.ok(found?.licenses?.length && found.hashes?.[0]?.content.length === 128, path)
  }
  assert.ok(!components.some(({ name }) => name === 'typescript'), 'no tool of development')
})

test('the SBOMs have Node, installed Debian packages and what the Python package needs', () => {
  const purls = read('service').components.map(({ purl }) => String(purl))
  assert.ok(purls.includes('pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64&distro=debian-12'))
  assert.ok(!purls.some((purl) => purl.includes('/gone@')))
  assert.ok(purls.some((purl) => /^pkg:generic\/node@26\./.test(purl)))
  const [httpx] = read('.whl').components
  assert.deepEqual([httpx?.name, httpx?.licenses], ['httpx', [{ license: { id: 'BSD-3-Clause' } }]])
  assert.deepEqual(read('.tgz').components, [])
})

test('every dependency in an SBOM is one of its components', () => {
  for (const [file, text] of written) {
    const { components, dependencies } = JSON.parse(text) as Sbom
    const known = new Set(components.map((component) => component['bom-ref']))
    for (const { dependsOn } of dependencies) for (const ref of dependsOn) assert.ok(known.has(ref), `${file}: ${ref}`)
    const reached = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn))
    for (const ref of known) assert.ok(reached.has(ref), `${file}: nothing needs ${ref}`)
  }
})

test('the same commit gives the same SBOMs, and each has its own serial number', async () => {
  assert.deepEqual(await sboms(), written)
  assert.equal(new Set([...written.values()].map((text) => (JSON.parse(text) as Sbom).serialNumber)).size, 3)
})
