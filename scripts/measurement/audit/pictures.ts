import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { openBrowser } from '../../../tooling/clients/browser.ts'
import { pageTypesOf } from '../../../tooling/fixtures/page-types.ts'
import { seedSites } from '../../../tooling/fixtures/populated-sites.ts'
import { readOptions, readWords } from '../../../tooling/script-options.ts'
import { repoDir } from '../../../tooling/services/state.ts'

const schemes = ['light', 'dark'] as const

/** Writes one screenshot of each page type of each site for each variant: `stories-front-390-dark.png`. */
export async function takeScreenshots(args: string[]): Promise<void> {
  const [folder = ''] = readWords(args, {}, ['<folder>']).words
  await mkdir(folder, { recursive: true })
  await using environment = await seedSites()
  await using browser = await openBrowser()
  for (const colorScheme of schemes)
    for (const width of [390, 1280]) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 844 } })
      const page = await context.newPage()
      for (const site of environment.sites)
        for (const { name, url } of pageTypesOf(site)) {
          await page.goto(url)
          await page.evaluate('document.fonts.ready')
          const file = `${site.kind.site.slug}-${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png`
          await page.screenshot({ path: join(folder, file), fullPage: true })
        }
      await context.close()
    }
  console.log(`The screenshots are in ${folder}.`)
}

const [width, height, gap, columns] = [800, 560, 16, 2]

/** Writes the picture of the README: the front pages of the four sites side by side, once light and once dark. */
export async function drawPictureOfSites(args: string[]): Promise<void> {
  readOptions(args, {})
  await using environment = await seedSites()
  await using browser = await openBrowser()
  for (const colorScheme of schemes) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height } })
    const page = await context.newPage()
    const rows = Math.ceil(environment.sites.length / columns)
    const canvas = createCanvas(columns * (width + gap) - gap, rows * (height + gap) - gap)
    for (const [index, { baseUrl }] of environment.sites.entries()) {
      await page.goto(`${baseUrl}/`)
      await page.evaluate('document.fonts.ready')
      const [column, row] = [index % columns, Math.floor(index / columns)]
      const shot = await loadImage(await page.screenshot())
      canvas.getContext('2d').drawImage(shot, column * (width + gap), row * (height + gap))
    }
    const path = `docs/images/sites-${colorScheme}.webp`
    await writeFile(join(repoDir, path), await canvas.encode('webp', 78))
    console.log(path)
    await context.close()
  }
}
