import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { validateXML } from 'xmllint-wasm'
import { sitemapIndex, sitemapShard } from './sitemap.ts'

const baseUrl = 'https://messages.broadside.example'

test('a part of the sitemap is valid by the schema of sitemaps.org', async () => {
  const shard = sitemapShard(baseUrl, [
    { path: 'p/post_01jcmzq8e5f7r9t2v4x6y8z001', lastmod: '2026-11-15T12:00:03.500Z' },
    { path: 'archive/2026-11/1/' },
    { path: 'topics/a&b<c>/' },
  ])
  const schema = readFileSync(new URL('schema/sitemap.xsd', import.meta.resolve('sitemap/package.json')), 'utf8')
  const { valid, errors } = await validateXML({ xml: shard, schema })
  assert.ok(valid, errors.map(({ rawMessage }) => rawMessage).join('\n'))
  assert.match(shard, /<loc>https:\/\/messages\.broadside\.example\/topics\/a&#38;b&#60;c&#62;\/<\/loc><\/url>/)
})

// The package has no schema for the index: this is the part of it that we use.
const indexSchema = `<xsd:schema xmlns:xsd="http://www.w3.org/2001/XMLSchema"
  targetNamespace="http://www.sitemaps.org/schemas/sitemap/0.9" elementFormDefault="qualified">
  <xsd:element name="sitemapindex"><xsd:complexType><xsd:sequence>
    <xsd:element name="sitemap" maxOccurs="50000"><xsd:complexType><xsd:sequence>
      <xsd:element name="loc" type="xsd:anyURI"/>
    </xsd:sequence></xsd:complexType></xsd:element>
  </xsd:sequence></xsd:complexType></xsd:element>
</xsd:schema>`

test('the index lists the parts by their full address', async () => {
  const index = sitemapIndex(baseUrl, ['sitemaps/site.xml', 'sitemaps/2026-11-1.xml'])
  const { valid, errors } = await validateXML({ xml: index, schema: indexSchema })
  assert.ok(valid, errors.map(({ rawMessage }) => rawMessage).join('\n'))
  assert.deepEqual(
    [...index.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address),
    [`${baseUrl}/sitemaps/site.xml`, `${baseUrl}/sitemaps/2026-11-1.xml`],
  )
})
