import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentPages } from '../../src/documents/pages/index.ts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { kinds } from '../../src/kinds/index.ts'
import { pricesInWords } from '../../src/ledger/prices.ts'
import { policy } from '../../src/policy/policy.ts'

const operator = { operatorName: 'Merle & Co.', contactEmail: 'desk@merle.example' }

test('each site has terms: the operator, the policy, the prices, and the operator’s own part', () => {
  const operatorTerms = '# Law\n\nThe law of **Iceland** applies.\n\n<script>alert(1)</script>'
  const pages = documentPages({ ...exampleDeployment, ...operator, operatorTerms })
  for (const { site } of kinds) {
    const page = pages.get(`${site.slug}/terms/index.html`) ?? ''
    assert.match(page, /Merle &#38; Co\. runs this site/)
    assert.match(page, /href="mailto:desk@merle\.example"/)
    for (const { id, title } of policy.categories) assert.ok(page.includes(`<a href="/policy/#${id}">${title}</a>`), id)
    for (const [what, price] of pricesInWords) assert.ok(page.includes(`>${what}</td><td data-label="Price">${price}<`))
    assert.match(page, /<h2 id="operator-terms">Terms of Merle &#38; Co\.<\/h2>\n<h3 id="operator-law">Law<\/h3>/)
    assert.match(page, /The law of <strong>Iceland<\/strong> applies/)
    assert.doesNotMatch(page, /<script>alert/)
    const about = pages.get(`${site.slug}/about/index.html`) ?? ''
    assert.match(about, /<a href="\/terms\/">Terms<\/a>/, 'every footer links to it')
  }
})

test('without terms of the operator, the page has no section for them', () => {
  const page = documentPages(exampleDeployment).get('messages/terms/index.html') ?? ''
  assert.doesNotMatch(page, /operator-terms/)
})
