import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { openBrowser } from '../../../tooling/clients/browser.ts'
import { pageTypesOf } from '../../../tooling/fixtures/page-types.ts'
import { seedSites } from '../../../tooling/fixtures/populated-sites.ts'
import { readWords } from '../../../tooling/script-options.ts'

const widths = [390, 1280]
const schemes = ['light', 'dark'] as const

/** Writes one screenshot of each page type of each site for each variant: `stories-front-390-dark.png`. */
export async function takeScreenshots(args: string[]): Promise<void> {
  const [folder = ''] = readWords(args, {}, ['<folder>']).words
  await mkdir(folder, { recursive: true })
  await using environment = await seedSites()
  await using browser = await openBrowser()
  let count = 0
  for (const colorScheme of schemes)
    for (const width of widths) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 844 } })
      const page = await context.newPage()
      for (const site of environment.sites)
        for (const { name, url } of pageTypesOf(site)) {
          await page.goto(url)
          await page.evaluate('document.fonts.ready')
          const file = `${site.kind.site.slug}-${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png`
          await page.screenshot({ path: join(folder, file), fullPage: true })
          count++
        }
      await context.close()
      console.error(`${count} screenshots`)
    }
  console.log(`${count} screenshots in ${folder}`)
}
