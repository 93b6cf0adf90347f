import type { Frame, Origin } from './profile-tree.ts'

const width = 1_200
const rowHeight = 16
const margin = 10
const headHeight = 52
/** Of the 11 px font, on average. */
const letterWidth = 6.2
const fewestLetters = 4
/** The share of a frame's time that makes its only important callee stand for it. */
const passedOn = 0.9

/** Readers load the image with the page. */
export const maxFlameBytes = 100_000

type Box = { x: number; width: number; depth: number; frame: Frame }

/**
 * Draws the tree as a flame graph, callers below. Leaves narrow frames out until the image has at most `maxBytes`. The
 * image follows the reader's light or dark scheme.
 */
export function drawFlame(root: Frame, title: string, maxBytes = maxFlameBytes): string {
  for (let narrowest = 0.7; ; narrowest *= 1.4) {
    const svg = draw(root, title, narrowest)
    if (Buffer.byteLength(svg) <= maxBytes) return svg
  }
}

function draw(root: Frame, title: string, narrowest: number): string {
  const boxes = layOut(root, narrowest)
  const rows = Math.max(...boxes.map(({ depth }) => depth)) + 1
  const height = headHeight + rows * rowHeight + margin
  const baseline = height - margin
  const drawn = boxes.map((box) => drawBox(box, baseline - (box.depth + 1) * rowHeight, root.micros))
  const seconds = `${(root.micros / 1e6).toFixed(2)} s on the CPU; wide frames take long, callers are below`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${style}</style><rect class="paper" width="100%" height="100%"/>`,
    `<text class="title" x="${margin}" y="20">${escaped(title)}</text>`,
    `<text x="${margin}" y="38">${seconds}</text>${legend()}`,
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

function layOut(root: Frame, narrowest: number): Box[] {
  const scale = (width - 2 * margin) / Math.max(1, root.micros)
  const boxes: Box[] = []
  const place = (frame: Frame, x: number, depth: number) => {
    const own = frame.micros * scale
    if (own < narrowest && depth > 0) return
    boxes.push({ x, width: own, depth, frame })
    let next = x
    const widestFirst = [...withoutPassages(frame).children.values()].sort((one, other) => other.micros - one.micros)
    for (const child of widestFirst) {
      place(child, next, depth + 1)
      next += child.micros * scale
    }
  }
  place(root, margin, 0)
  return boxes
}

/** Skips calls within Node that only pass on to one other: they make the image high and say nothing. */
function withoutPassages(frame: Frame): Frame {
  const [widest] = [...frame.children.values()].sort((one, other) => other.micros - one.micros)
  const isPassage = frame.origin === 'node' && widest?.origin === 'node' && widest.micros >= frame.micros * passedOn
  return isPassage ? withoutPassages(widest) : frame
}

function drawBox({ x, width: boxWidth, frame }: Box, y: number, total: number): string {
  const share = `${((frame.micros / Math.max(1, total)) * 100).toFixed(1)} %, ${Math.round(frame.micros / 1_000)} ms`
  const letters = Math.floor((boxWidth - 4) / letterWidth)
  const text =
    letters < fewestLetters
      ? ''
      : `<text x="${round(x + 3)}" y="${y + 11.5}">${escaped(shortened(frame.name, letters))}</text>`
  const rect = `<rect class="${frame.origin}" x="${round(x)}" y="${y}" width="${round(Math.max(0.4, boxWidth - 0.5))}" height="${rowHeight - 1}"/>`
  return `<g><title>${escaped(frame.name)}: ${share}</title>${rect}${text}</g>`
}

const shortened = (name: string, letters: number) =>
  name.length <= letters ? name : `${name.slice(0, Math.max(1, letters - 1))}…`

const origins: Record<Origin, string> = {
  program: 'this repository',
  package: 'packages',
  node: 'Node',
  engine: 'engine and system',
}

function legend(): string {
  const items = Object.entries(origins).map(([origin, label], index) => {
    const x = width - 560 + index * 140
    return `<rect class="${origin}" x="${x}" y="11" width="12" height="12"/><text x="${x + 17}" y="21">${label}</text>`
  })
  return items.join('')
}

const style = [
  'text{font:11px ui-sans-serif,system-ui,sans-serif;fill:#1b1b22}.title{font-weight:600;font-size:14px}',
  '.paper{fill:#fff}.program{fill:#f2a65a}.package{fill:#f5d76e}.node{fill:#9ecae1}.engine{fill:#c9c9d3}',
  '@media (prefers-color-scheme:dark){text{fill:#ececf1}.paper{fill:#16161b}.program{fill:#a0561a}',
  '.package{fill:#7d6a14}.node{fill:#2b5f7d}.engine{fill:#4b4b57}}',
].join('')

const round = (value: number) => Math.round(value * 10) / 10
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
