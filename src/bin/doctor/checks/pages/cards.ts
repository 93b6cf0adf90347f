import { cardFonts, missingFonts } from '../../../../publishing/cards/fonts.ts'
import { type CheckFinding, type Context, problem, type RunCheck, warning } from '../../check.ts'
import { askService } from '../../probe.ts'
import { localAddress } from '../processes.ts'

const unit = 'broadside-cards'

/** Without the fonts the service works, but link previews show plain pictures. So that is no problem. */
export const checkCards: RunCheck = async (context) => {
  const { FONTS_DIRECTORY: directory } = context.read(['FONTS_DIRECTORY'])
  const missing = missingFonts(directory)
  if (missing.length > 0) {
    const packages = [...new Set(missing.map((font) => font.package))].join(' ')
    const cause = `All cards are plain: ${missing.length} of ${cardFonts.length} fonts are not in ${directory} (such as ${missing[0]?.file}).`
    const fix = `apt-get install -y --no-install-recommends ${packages} && ${context.unit('restart', unit)}`
    return { summary: '', findings: [warning(cause, fix)] }
  }
  return {
    summary: `All ${cardFonts.length} fonts for cards are in ${directory}, and a card was drawn.`,
    findings: await askForCard(context),
  }
}

async function askForCard(context: Context): Promise<CheckFinding[]> {
  const { LISTEN_HOST: host, CARDS_PORT: port } = context.read(['LISTEN_HOST', 'CARDS_PORT'])
  const url = `http://${localAddress(host)}:${port}/check`
  const fix = `${context.unit('restart', unit)}; its log: journalctl -u ${unit} -n 50`
  try {
    const { status, body } = await askService(url, context)
    return status === 200 ? [] : [problem(`No card can be drawn: ${body.slice(0, 40)}.`, fix)]
  } catch {
    return [problem(`The process that draws cards does not answer at ${url}.`, fix)]
  }
}
