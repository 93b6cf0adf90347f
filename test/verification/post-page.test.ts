import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allDocuments } from '../../src/documents/all-documents.ts'
import { exampleDeployment } from '../../src/documents/deployment.ts'
import { writeDocuments } from '../../src/documents/write-documents.ts'
import { kinds } from '../../src/kinds/index.ts'
import { openBrowser } from '../../tooling/clients/browser.ts'
import { startService } from '../../tooling/environment/service.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

test('a reader verifies a post from its page with one click', async () => {
  await using service = await startService({ judges: true })
  await using browser = await openBrowser()
  const { baseUrls, accountPageUrl } = service
  await writeDocuments(allDocuments({ ...exampleDeployment, sites: baseUrls, accountPageUrl }), service.pages)
  const [kind] = kinds
  assert(kind)
  const id = await publishAsModel(service, { kind, accountId: (await service.createAccount()).id, changes: {} })
  await service.settle()
  const page = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage()
  await page.goto(`${service.baseUrl}/p/${id}`)
  await page.getByRole('link', { name: 'Verify', exact: true }).click()
  await page.locator('.verify-status.passed, .verify-status.failed').waitFor()
  const checks = await page.locator('.verify-checks').innerText()
  assert.match(await page.locator('.verify-status').innerText(), /^Verified/, checks)
})
