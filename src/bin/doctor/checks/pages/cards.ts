import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cardFonts, missingFonts } from '../../../../publishing/cards/fonts.ts'
import { type Context, type RunCheck, warning } from '../../check.ts'

/** Without its fonts the service works, but posts have no pictures in link previews. So nothing here is a problem. */
export const checkCards: RunCheck = async (context) => {
  const { FONTS_DIRECTORY: directory } = context.read(['FONTS_DIRECTORY'])
  const missing = missingFonts(directory)
  if (missing.length > 0) {
    const packages = [...new Set(missing.map((font) => font.package))].join(' ')
    const cause = `Posts get no cards: ${missing.length} of ${cardFonts.length} fonts are not in ${directory} (such as ${missing[0]?.file}).`
    const fix = `apt-get install -y --no-install-recommends ${packages} && ${restart(context)} && ${context.broadside('rebuild')}`
    return { summary: '', findings: [warning(cause, fix)] }
  }
  const others = cardFonts.filter(({ file, sha256 }) => hashOf(join(directory, file)) !== sha256)
  const cause = `${others.length} fonts are of other versions than those of Debian 12 (such as ${others[0]?.file}): cards look a little different from those of another machine.`
  const fix = 'Use machines with the same system for all workers. If this is the only one, nothing is to be done.'
  return {
    summary: `All ${cardFonts.length} fonts for cards are in ${directory}.`,
    findings: others.length > 0 ? [warning(cause, fix)] : [],
  }
}

/** The workers look for the fonts when they start. */
const restart = ({ unit }: Context) => unit('restart', "'broadside-worker@*'")

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
