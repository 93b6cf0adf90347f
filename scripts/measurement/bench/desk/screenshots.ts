import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { caseKinds } from '../../../../src/cases/case-kinds.ts'
import { caseUrl } from '../../../../src/desk/case/address.ts'
import type { openBrowser } from '../../../../tooling/clients/browser.ts'
import { untilRested } from '../../../../tooling/clients/desk-keyboard.ts'
import { openStaff, signInBrowser } from '../../../../tooling/clients/staff.ts'
import type { Service } from '../../../../tooling/environment/service.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>
type Shoot = (page: Page, take: (name: string, wholePage?: boolean) => Promise<void>) => Promise<void>

/** The queue, a case of each kind, the category dialog and the help, in four variants each. */
export async function takeCaseShots(
  service: Service,
  browser: Browser,
  { folder, keys }: { folder: string; keys: readonly string[] },
): Promise<void> {
  const lead = await openStaff(service, { role: 'lead', name: 'Lea Lead' })
  const held = caseKinds.flatMap((kind) => {
    const own = keys.filter((key) => key.startsWith(`${kind}:`))
    // The first and the last review: one of a post and one of an edit.
    return [own[0], own.at(-1)].map((key, which) => ({ name: `${kind}-${which + 1}`, key: String(key) }))
  })
  for (const { key } of held) await lead.post(`${caseUrl(key)}/claim`)
  await inEveryLook(service, browser, { folder, token: lead.token }, async (page, take) => {
    await page.goto(`${service.deskUrl}/`)
    await take('queue')
    for (const { name, key } of held) {
      await page.goto(`${service.deskUrl}${caseUrl(key)}`)
      await take(name)
      if (name === 'review-1') {
        await untilRested(page)
        await page.keyboard.press('r')
        await take('categories', false)
        await page.keyboard.press('Escape')
        await page.keyboard.press('?')
        await take('help', false)
        await page.keyboard.press('Escape')
        await page.keyboard.press('b')
        await take('blurred', false)
        await page.keyboard.press('b')
      }
    }
    await page.goto(`${service.deskUrl}/numbers`)
    await take('numbers')
  })
  await service.asOwner('delete from desk_claims')
}

export async function takeEmptyShots(service: Service, browser: Browser, folder: string): Promise<void> {
  const { token } = await openStaff(service, { role: 'lead', name: 'Lea Second' })
  await inEveryLook(service, browser, { folder, token }, async (page, take) => {
    await page.goto(`${service.deskUrl}/`)
    await take('empty')
    await page.goto(`${service.deskUrl}/decisions`)
    await take('decisions')
  })
}

type Seen = { folder: string; token: string }

async function inEveryLook(service: Service, browser: Browser, { folder, token }: Seen, shoot: Shoot): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      const viewport = { width, height: width > 1_000 ? 900 : 844 }
      const context = await browser.newContext({ colorScheme, viewport })
      await signInBrowser(service, context, token)
      const page = await context.newPage()
      await shoot(page, async (name, wholePage = true) => {
        // Otherwise elements at the lower edge would appear in the middle of the screenshot.
        const height = wholePage
          ? await page.evaluate<number>('document.documentElement.scrollHeight')
          : viewport.height
        await page.setViewportSize({ width, height })
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
        await page.setViewportSize(viewport)
      })
      await context.close()
    }
}
