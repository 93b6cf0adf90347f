import type { Page } from 'playwright-core'
import { allDocuments } from '../../../src/documents/all-documents.ts'
import { exampleDeployment } from '../../../src/documents/site-documents.ts'
import { openBrowser } from '../../../tooling/clients/browser.ts'
import { quietPort } from '../../../tooling/services/state.ts'
import { startTestSite } from '../../../tooling/transparency/test-site.ts'
import { serveFiles } from '../http/gateway.ts'

/** The page /verify/ from the gateway, in a browser. The posts come from another origin, as if from another site. */
export async function openVerifyPage() {
  await using started = new AsyncDisposableStack()
  const browser = started.use(await openBrowser())
  const posts = started.use(await startTestSite())
  const files = [...allDocuments({ ...exampleDeployment, accountPageUrl: posts.url })].flatMap(([path, content]) =>
    /^messages\/(verify\/|assets\/|favicon)/.test(path) ? [[path.slice('messages/'.length), content]] : [],
  )
  const site = started.use(
    await serveFiles(Object.fromEntries(files), {
      ownerPage: { port: await quietPort(), baseUrl: posts.url, upstreamPort: 1 },
    }),
  )
  const kept = started.move()
  return { browser, posts, site, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

export const verifyOn = async (page: Page, address: string) => {
  await page.getByLabel('Address of the post').fill(address)
  await page.getByRole('button', { name: 'Verify' }).click()
  return conclusionOn(page)
}

export async function conclusionOn(page: Page): Promise<string> {
  await page.locator('.verify-status.passed, .verify-status.failed').waitFor()
  return page.locator('.verify-status').innerText()
}
