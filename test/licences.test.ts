import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { licenceFaults, type Part } from '../tooling/licences/allowed.ts'
import { renderNotice } from '../tooling/licences/notice.ts'
import { disagreements, type NpmPackage, npmPackages } from '../tooling/licences/npm-packages.ts'
import {
  copyrightsWithoutFile,
  filesOfUnknownOrigin,
  pythonPackages,
  vendoredParts,
} from '../tooling/licences/other-parts.ts'
import { repoDir } from '../tooling/services/state.ts'
import { read, tracked } from './support/repository.ts'

const packages = npmPackages(repoDir)

test('every npm package has an allowed licence, the same in the lockfile and in the package', () => {
  assert.ok(packages.length > 500)
  assert.ok(packages.filter(({ installedLicence }) => installedLicence !== null).length > 500)
  assert.deepEqual(packages.flatMap(licenceFaults), [])
  assert.deepEqual(disagreements(packages), [])
})

test('a licence that is missing, unknown or not allowed fails, with the package and what to do', () => {
  const fault = (licence: string | undefined, use: Part['use']) =>
    licenceFaults({ name: 'left-pad', licence, use }).join()
  for (const [licence, use, message] of [
    [undefined, 'shipped', /^left-pad names no licence\. Ask its authors, or replace it/],
    ['', 'not-shipped', /names no licence/],
    ['SEE LICENSE IN terms.txt', 'shipped', /“SEE LICENSE IN terms\.txt”, which is no SPDX expression/],
    ['UNLICENSED', 'not-shipped', /no SPDX expression/],
    ['BSD', 'shipped', /no SPDX expression/],
    ['GPL-3.0-only', 'not-shipped', /GPL-3\.0-only, which is not allowed\. Replace it/],
    ['AGPL-3.0-or-later', 'shipped', /not allowed/],
    ['MIT AND GPL-2.0-only', 'shipped', /not allowed/],
    ['BUSL-1.1', 'shipped', /not allowed/],
    ['MPL-2.0', 'shipped', /allowed only for what is not shipped\. Move it to devDependencies/],
  ] as const)
    assert.match(fault(licence, use), message)
  for (const licence of ['MIT', '(MIT OR GPL-2.0-only)', 'MIT AND Apache-2.0', '(MIT OR CC0-1.0)'])
    assert.equal(fault(licence, 'shipped'), '', licence)
  assert.equal(fault('MPL-2.0', 'not-shipped'), '')
})

test('a package that names another licence than the lockfile fails', () => {
  const [first] = packages
  const seeded = { ...first, name: 'left-pad', licence: 'MIT', installedLicence: 'GPL-3.0-only' } as NpmPackage
  assert.match(
    disagreements([seeded]).join(),
    /^left-pad has MIT in package-lock\.json and GPL-3\.0-only in its package/,
  )
})

test('every shipped package passes its copyright notice on, in a file of its own or in NOTICE.md', () => {
  const installed = packages.filter(({ use, installedLicence }) => use === 'shipped' && installedLicence !== null)
  const without = installed.filter(({ hasLicenceFile }) => !hasLicenceFile).map(({ name }) => name)
  assert.deepEqual(
    without.filter((name) => !Object.keys(copyrightsWithoutFile).some((pattern) => matchesGlob(name, pattern))),
    [],
    'add these to copyrightsWithoutFile in tooling/licences/other-parts.ts',
  )
  assert.deepEqual(
    Object.keys(copyrightsWithoutFile).filter((pattern) => !without.some((name) => matchesGlob(name, pattern))),
    [],
    'these are not needed any more',
  )
})

test('fonts, weights and tables of others have allowed licences, and every file of them exists', () => {
  assert.deepEqual(vendoredParts.flatMap(licenceFaults), [])
  for (const { name, files, licenceFile } of vendoredParts) {
    for (const path of files.flatMap(expand)) assert.ok(tracked.includes(path), `${name}: ${path}`)
    if (licenceFile) assert.ok(tracked.includes(licenceFile), `${name}: ${licenceFile}`)
  }
  assert.match(read('src/kinds/places/tables/README.md'), /GeoNames.*CC BY 4\.0/)
})

/** The paths of a pattern with one list in braces. */
function expand(pattern: string): string[] {
  const [, before, list, after] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? []
  return list === undefined ? [pattern] : list.split(',').map((word) => `${before}${word}${after}`)
}

test('a binary file or table whose origin nobody names fails', () => {
  assert.deepEqual(filesOfUnknownOrigin(tracked), [])
  for (const path of [
    'src/kinds/event/look/comic.woff2',
    'model/weights/new.onnx',
    'src/kinds/places/tables/towns.tsv',
  ])
    assert.match(filesOfUnknownOrigin([...tracked, path]).join(), new RegExp(`^${RegExp.escape(path)} has no origin`))
})

test('what the Python client needs has allowed licences', () => {
  assert.deepEqual(pythonPackages.flatMap(licenceFaults), [])
  const found = JSON.parse(execFileSync('/usr/bin/python3', ['-c', requirements], { encoding: 'utf8' })) as [
    name: string,
    licence: string | null,
  ][]
  assert.ok(found.some(([name]) => name === 'httpx'))
  for (const [name, licence] of found) {
    const known = pythonPackages.find((part) => part.name === name)
    assert.ok(known, `${name}: add it to pythonPackages in tooling/licences/other-parts.ts with its licence`)
    if (licence !== null) assert.equal(licence, known.licence, name)
  }
})

/** Follows the requirements of the client as far as they are installed. Newer packages have an SPDX expression. */
const requirements = `
import json, re
from importlib.metadata import PackageNotFoundError, metadata, requires
found = {}
def follow(name):
    if name in found:
        return
    try:
        found[name] = metadata(name).get("License-Expression")
    except PackageNotFoundError:
        return
    for line in requires(name) or []:
        if "extra ==" not in line and "python_version" not in line:
            follow(re.match(r"[\\w.-]+", line).group(0).lower())
for name in re.findall(r'"([\\w-]+)[>=<]', open(${JSON.stringify(join(repoDir, 'clients/python/pyproject.toml'))}).read()):
    follow(name)
print(json.dumps(list(found.items())))
`

test('NOTICE.md is up to date, and goes into the image with the licence of Node', () => {
  assert.equal(read('NOTICE.md'), renderNotice(repoDir), 'run `npm run generate`')
  for (const { name } of vendoredParts) assert.ok(read('NOTICE.md').includes(name), name)
  const ignored = read('.dockerignore').split('\n')
  for (const path of ['LICENSE', 'NOTICE.md']) assert.ok(ignored.includes(`!${path}`), path)
  assert.match(
    read('deploy/Dockerfile'),
    /^COPY --from=build \/usr\/local\/LICENSE \/usr\/local\/share\/doc\/node\/LICENSE$/m,
  )
  assert.ok(existsSync(join(repoDir, 'LICENSE')))
})
