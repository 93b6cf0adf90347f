import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlFaults } from '../../test/support/pages/valid-formats.ts'
import { kinds } from '../kinds/index.ts'
import { dollars } from '../markup/money.ts'
import { documentSite } from './pages/document-site.ts'
import { publishPage } from './publish-page.ts'
import { exampleDeployment } from './site-documents.ts'

const textOf = (page: string) =>
  page.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

for (const kind of kinds)
  test(`the page for publishers of ${kind.name} has the price, the example and each call`, () => {
    const site = documentSite(kind, exampleDeployment)
    const page = publishPage(site)
    assert.deepEqual(htmlFaults(page), [])
    const text = textOf(page)
    assert.ok(text.includes(`${dollars(kind.priceMicros)} per ${kind.site.noun}`))
    for (const path of ['accounts', 'posts?dry_run=true', 'posts'])
      assert.match(text, new RegExp(`curl -s '?${RegExp.escape(`${site.baseUrl}/v1/${path}`)}'? \\\\\n`))
    const [first] = Object.values(kind.examples[0])
    assert.ok(text.includes(String(first).slice(0, 30)))
  })

test('a retry of the example sends the same Idempotency-Key', () => {
  for (const kind of kinds) {
    const page = textOf(publishPage(documentSite(kind, exampleDeployment)))
    assert.equal(page.match(/uuidgen/g)?.length, 1)
    assert.match(page, /KEY=\$\(uuidgen\) .*\n.*\n.*\n.*idempotency-key: \$KEY/)
  }
})
