import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import { openBrowser } from '../../../tooling/clients/browser.ts'
import { seedSites } from '../../../tooling/fixtures/populated-sites.ts'
import { readOptions } from '../../../tooling/script-options.ts'
import { repoDir } from '../../../tooling/services/state.ts'

const folder = 'docs/images'
const [width, height, gap, columns] = [800, 560, 16, 2]
const quality = 78

/** Writes the picture of the README: the front pages of the four sites side by side, once light and once dark. */
export async function drawPictureOfSites(args: string[]): Promise<void> {
  readOptions(args, {})
  await using environment = await seedSites()
  await using browser = await openBrowser()
  for (const colorScheme of ['light', 'dark'] as const) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height } })
    const page = await context.newPage()
    const rows = Math.ceil(environment.sites.length / columns)
    const canvas = createCanvas(columns * (width + gap) - gap, rows * (height + gap) - gap)
    for (const [index, { baseUrl }] of environment.sites.entries()) {
      await page.goto(`${baseUrl}/`)
      await page.evaluate('document.fonts.ready')
      const shot = await loadImage(await page.screenshot())
      const [column, row] = [index % columns, Math.floor(index / columns)]
      canvas.getContext('2d').drawImage(shot, column * (width + gap), row * (height + gap))
    }
    const path = join(folder, `sites-${colorScheme}.webp`)
    const picture = await canvas.encode('webp', quality)
    writeFileSync(join(repoDir, path), picture)
    console.log(`${path}: ${Math.ceil(picture.length / 1_000)} KB`)
    await context.close()
  }
}
