import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../kinds/index.ts'
import { fontPaths, siteAssets } from './assets.ts'

for (const kind of kinds)
  test(`the style of ${kind.site.slug} refers only to files that are served, and each font has its licence`, () => {
    const assets = siteAssets(kind)
    const style = String(assets.get('assets/site.css'))
    const named = [...style.matchAll(/url\("\/([^"]+)"\)/g)].map((match) => match[1] ?? '')
    assert.deepEqual(named.toSorted(), fontPaths(kind).toSorted())
    for (const path of named) {
      assert.ok(assets.has(path), path)
      assert.match(String(assets.get(path.replace(/([^/]+)\.woff2$/, 'OFL-$1.txt'))), /SIL Open Font License/i)
    }
    assert.match(String(assets.get('favicon.svg')), /^<svg /)
  })
