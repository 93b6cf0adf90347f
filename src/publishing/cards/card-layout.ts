import type { SKRSContext2D } from '@napi-rs/canvas'
import { postLicense } from '../../contract/post-license.ts'
import { dateParts } from '../../kinds/presentation/dates.ts'
import { fitText, type Ruler } from './fit-text.ts'
import { type Coverage, replaceUncovered } from './font-coverage.ts'
import type { PostCard } from './post-card.ts'
import { isMostlyHan, isRightToLeft, prepareText } from './prepare-text.ts'
import { cutLine } from './text-pieces.ts'

/** Lists of typefaces as CSS has them: for the title and for all other lines. */
export type Fonts = { title: string; text: string; isCovered: Coverage }

type Drawing = { card: PostCard; fonts: Fonts }
type Box = { x: number; y: number; width: number; height: number }
type Size = { width: number; height: number }

/** Outside of this frame nothing is drawn, whatever the text is. */
export const cardFrame = { inset: 26, thick: 6, gap: 5, thin: 2 } as const
const padding = 42
const note = `Written by a software agent · ${postLicense.name}`
/** More than a message can have. */
const mostLetters = 520

export function drawCardOn(context: SKRSContext2D, size: Size, drawing: Drawing): void {
  const { look, facts } = drawing.card
  context.fillStyle = look.paper
  context.fillRect(0, 0, size.width, size.height)
  drawFrame(context, size, look.block)
  const edge = cardFrame.inset + padding
  const inner: Box = { x: edge, y: edge - 8, width: size.width - 2 * edge, height: size.height - 2 * (edge - 8) }
  const top = drawNameplate(context, inner, drawing)
  const bottom = drawFooter(context, inner, drawing)
  const foot = drawFacts(context, { ...inner, y: top, height: bottom - top }, drawing)
  const main: Box = { ...inner, y: top, height: foot - top }
  if (facts.day === undefined) drawText(context, main, drawing)
  else drawText(context, drawDay(context, main, drawing), drawing)
}

function drawFrame(context: SKRSContext2D, { width, height }: Size, colour: string): void {
  const { inset, thick, gap, thin } = cardFrame
  context.strokeStyle = colour
  for (const [at, weight] of [
    [inset + thick / 2, thick],
    [inset + thick + gap + thin / 2, thin],
  ] as const) {
    context.lineWidth = weight
    context.strokeRect(at, at, width - 2 * at, height - 2 * at)
  }
}

/** The name of the site with the date, above a double rule as on its pages. Returns where the text can begin. */
function drawNameplate(context: SKRSContext2D, box: Box, { card, fonts }: Drawing): number {
  const { look, plate, date, facts } = card
  const baseline = box.y + 36
  const brand = write(context, plate[0], { ...at(box.x, baseline), font: `44px ${fonts.title}`, colour: look.ink })
  write(context, plate[1].toUpperCase(), {
    ...at(box.x + brand + 16, baseline),
    ...{ font: `26px ${fonts.text}`, colour: look.accent, spacing: 3 },
  })
  // Beside the date of an event, the date of publication would only confuse.
  if (facts.day === undefined)
    write(context, date, {
      ...at(box.x + box.width, baseline),
      ...{ font: `24px ${fonts.text}`, colour: look.soft, align: 'right' },
    })
  context.fillStyle = look.ink
  context.fillRect(box.x, baseline + 18, box.width, 4)
  context.fillRect(box.x, baseline + 26, box.width, 1)
  return baseline + 46
}

const at = (x: number, y: number) => ({ x, y })

/** The author and what every reader should know. Returns where the text must end. */
function drawFooter(context: SKRSContext2D, box: Box, { card, fonts }: Drawing): number {
  const { look, author } = card
  const baseline = box.y + box.height - 6
  context.fillStyle = look.ink
  context.fillRect(box.x, baseline - 44, box.width, 1)
  const noteWidth = write(context, note, {
    ...at(box.x + box.width, baseline),
    ...{ font: `21px ${fonts.text}`, colour: look.soft, align: 'right' },
  })
  const byline = author === '' ? '' : readable(`By ${author}`, { fonts, most: 100 })
  write(context, byline ?? '', {
    ...at(box.x, baseline),
    ...{ font: `28px ${fonts.text}`, colour: look.ink, width: box.width - noteWidth - 32 },
  })
  return baseline - 66
}

/** The price in large type and the other facts beside it. Returns where the text must end. */
function drawFacts(context: SKRSContext2D, box: Box, { card, fonts }: Drawing): number {
  const { look, facts } = card
  const details = [facts.label, ...facts.details].filter((part) => part !== undefined).join(' · ')
  const bottom = box.y + box.height
  if (details === '' && facts.price === undefined) return bottom
  const price = facts.price ?? ''
  const priceWidth =
    price === ''
      ? 0
      : 28 +
        write(context, price, {
          ...at(box.x, bottom),
          ...{ font: `68px ${fonts.title}`, colour: look.accent, width: box.width },
        })
  write(context, readable(details, { fonts, most: 160 }) ?? '', {
    ...at(box.x + priceWidth, bottom),
    ...{ font: `28px ${fonts.text}`, colour: look.soft, width: box.width - priceWidth },
  })
  return bottom - (price === '' ? 52 : 90)
}

/** A sheet of a calendar. Returns the room beside it. */
function drawDay(context: SKRSContext2D, box: Box, { card, fonts }: Drawing): Box {
  const { look, facts } = card
  const { weekday, day, month, year } = dateParts(facts.day ?? '')
  const [width, height] = [212, 236]
  const y = box.y + Math.max(0, (box.height - height) / 2)
  context.fillStyle = look.block
  context.fillRect(box.x, y, width, height)
  const centre = box.x + width / 2
  const line = (text: string, baseline: number, font: string) =>
    write(context, text, { ...at(centre, y + baseline), font, colour: look['on-block'], align: 'center', width: 196 })
  line(weekday, 44, `28px ${fonts.text}`)
  line(String(day), 158, `128px ${fonts.title}`)
  line(`${month} ${year}`, 210, `25px ${fonts.text}`)
  return { ...box, x: box.x + width + 40, width: box.width - width - 40 }
}

/** The text, as large as the room allows, in the middle of it. */
function drawText(context: SKRSContext2D, box: Box, { card, fonts }: Drawing): void {
  const text =
    readable(card.text, { fonts, most: mostLetters }) ?? `${/^[aeiou]/.test(card.noun) ? 'An' : 'A'} ${card.noun}`
  const isRtl = isRightToLeft(text)
  const ruler = rulerOf(context, fonts.title)
  const { lines, height } = fitText(text, { ...box, largest: 300, smallest: 30 }, ruler)
  const top = box.y + (box.height - height) / 2
  context.save()
  context.beginPath()
  // Some letters reach a little over their width.
  context.rect(box.x - 10, box.y - 10, box.width + 20, box.height + 20)
  context.clip()
  const widest = Math.max(0, ...lines.map(({ text: line, size }) => ruler(line, size).width))
  const align = widest < box.width * narrow ? 'center' : isRtl ? 'right' : 'left'
  const x = box.x + { left: 0, center: box.width / 2, right: box.width }[align]
  const weight = isMostlyHan(text) ? boldStroke : 0
  for (const { text: line, size, baseline } of lines)
    write(context, line, {
      ...at(x, top + baseline),
      ...{ font: `${size}px ${fonts.title}`, colour: card.look.ink, isRtl, align, stroke: weight * size },
    })
  context.restore()
}

/** A word that does not fill the width is set in the middle. */
const narrow = 0.6
/** As wide as the stems of a bold font are wider than those of a regular one, by the size. */
const boldStroke = 0.035

/** Text that cannot break the layout; undefined if nothing of it can be shown. */
function readable(text: string, { fonts, most }: { fonts: Fonts; most: number }): string | undefined {
  const shown = replaceUncovered(prepareText(text, most), fonts.isCovered)
  return shown === '' ? undefined : shown
}

function rulerOf(context: SKRSContext2D, font: string): Ruler {
  return (text, size) => {
    context.font = `${size}px ${font}`
    const { width, actualBoundingBoxAscent: ascent, actualBoundingBoxDescent: descent } = context.measureText(text)
    return { width, ascent, descent }
  }
}

type Written = {
  x: number
  y: number
  font: string
  colour: string
  align?: 'left' | 'right' | 'center'
  isRtl?: boolean
  /** The distance between letters. */
  spacing?: number
  /** The width of a line around each letter, which makes it bolder. */
  stroke?: number
  /** A longer text is cut. */
  width?: number
}

/** Draws one line and returns its width. */
function write(context: SKRSContext2D, text: string, { x, y, width, ...style }: Written): number {
  context.font = style.font
  context.fillStyle = style.colour
  context.letterSpacing = `${style.spacing ?? 0}px`
  context.direction = style.isRtl ? 'rtl' : 'ltr'
  context.textAlign = style.align ?? 'left'
  const measure = (part: string) => context.measureText(part).width
  const shown = width === undefined ? text : cutLine(text, width, measure)
  context.fillText(shown, x, y)
  if (style.stroke) {
    context.strokeStyle = style.colour
    context.lineWidth = style.stroke
    context.lineJoin = 'round'
    context.strokeText(shown, x, y)
  }
  return measure(shown)
}
