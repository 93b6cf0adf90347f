/** A command that ran, with its output and the times since its start. */
export type Recorded = { command: string; lines: { text: string; milliseconds: number }[]; milliseconds: number }

/** The longest command of the README fits beside its duration. */
const columns = 88
const rowHeight = 19
const characterWidth = 7.83
const padding = 18
const titleBar = 34
/** Waits are shortened to this, so that minutes become seconds. */
const longestWaitMs = 1_200
const typingMs = 28
/** The whole picture stays this long before it starts again. */
const holdMs = 9_000
/** Of a longer output only the ends are shown. */
const longestOutput = 16
const [headLines, tailLines] = [2, 1]
/** Before each command. */
const gapRows = 0.5

type Text = { markup: string; row: number; from: number; typed?: number }

/** The commands and their output as an SVG: animated, or a still picture of the end for readers who want less motion. */
export function renderRecording(recorded: readonly Recorded[], { animated }: { animated: boolean }): string {
  const { shown, rows, total } = layOut(recorded)
  const height = titleBar + rows * rowHeight + padding
  const texts = shown.map(
    ({ markup, row }, index) =>
      `<text id="r${index}" x="${padding}" y="${titleBar + (row + 1) * rowHeight - 4}">${markup}</text>`,
  )
  return drawing({ texts, height, animations: animated ? animationsOf(shown, total) : [], commands: recorded })
}

/** A rule per text: a command is typed, and everything else appears at once. */
function animationsOf(shown: readonly Text[], total: number): string[] {
  const percent = (time: number) => `${Number(((100 * time) / total).toFixed(3))}%`
  const loop = `${(total / 1_000).toFixed(1)}s infinite`
  return shown.flatMap(({ from, typed }, index) => {
    const [start, end] = [percent(from), percent(from + (typed ?? 0))]
    const hidden = 'clip-path:inset(0 100% 0 0)'
    const [frames, timing] = typed
      ? [`0%,${start}{${hidden}}${end},100%{clip-path:inset(0)}`, `steps(${Math.round(typed / typingMs)})`]
      : [`0%{opacity:0}${start},100%{opacity:1}`, 'step-end']
    return [`@keyframes k${index}{${frames}}`, `#r${index}{animation:k${index} ${loop} ${timing}}`]
  })
}

type Drawing = {
  texts: readonly string[]
  height: number
  animations: readonly string[]
  commands: readonly Recorded[]
}

function drawing({ texts, height, animations, commands }: Drawing): string {
  const width = Math.round(2 * padding + columns * characterWidth)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title description">
<title id="title">Five commands from a fresh clone to a published post</title>
<desc id="description">A terminal in which ${escapeXml(commands.map(({ command }) => command).join(', then '))} run one after the other. The last one prints the address of the published post. Waits are shortened; the time that each command took is at the end of its line.</desc>
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:#c9d1d9;white-space:pre}
.prompt,.good{fill:#7ee787}.command{fill:#fff;font-weight:600}.address{fill:#79c0ff}.faint{fill:#9aa4af}
${animations.length > 0 ? `@media (prefers-reduced-motion:no-preference){\n${animations.join('\n')}\n}\n` : ''}</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10" fill="#0d1117" stroke="#57606a"/>
<g fill="#57606a"><circle cx="20" cy="18" r="5"/><circle cx="37" cy="18" r="5"/><circle cx="54" cy="18" r="5"/></g>
${texts.join('\n')}
</svg>
`
}

/** Places the texts in rows, each with the time at which it appears. */
function layOut(recorded: readonly Recorded[]): { shown: Text[]; rows: number; total: number } {
  const shown: Text[] = []
  let [time, row] = [600, 0]
  for (const { command, lines, milliseconds } of recorded) {
    const typed = command.length * typingMs
    if (row > 0) row += gapRows
    const ownRow = row++
    shown.push({ markup: promptMarkup(command), row: ownRow, from: time, typed })
    time += typed + 300
    let before = 0
    for (const line of shortened(lines)) {
      time += Math.min(line.milliseconds - before, longestWaitMs)
      before = line.milliseconds
      shown.push({ markup: lineMarkup(line.text), row: row++, from: time })
    }
    time += Math.min(Math.max(milliseconds - before, 0), longestWaitMs)
    shown.push({ markup: durationMarkup(milliseconds), row: ownRow, from: time })
    time += 400
  }
  return { shown, rows: row, total: time + holdMs }
}

/** Without empty lines, waits of a busy machine, and the lines in which npm repeats the script. */
function shortened(lines: Recorded['lines']): Recorded['lines'] {
  const own = lines.filter(({ text }) => !/^(?:\s*$|> |… still waiting)/.test(text))
  const isList = own.every(({ text }) => /^(?:found|Nothing|installed|Reading|Done)/.test(text))
  const left = own.length - headLines - tailLines
  if (left < 2 || (own.length <= longestOutput && !isList)) return own
  const gap = { text: `… ${left} more lines`, milliseconds: own[headLines]?.milliseconds ?? 0 }
  return [...own.slice(0, headLines), gap, ...own.slice(-tailLines)]
}

const promptMarkup = (command: string): string =>
  `<tspan class="prompt">$ </tspan><tspan class="command">${escapeXml(command)}</tspan>`

const durationMarkup = (milliseconds: number): string =>
  `<tspan class="faint" x="${(padding + columns * characterWidth).toFixed(0)}" text-anchor="end">${duration(milliseconds)}</tspan>`

function duration(milliseconds: number): string {
  const seconds = milliseconds / 1_000
  return seconds < 60 ? `${seconds.toFixed(seconds < 10 ? 1 : 0)} s` : `${(seconds / 60).toFixed(1)} min`
}

function lineMarkup(text: string): string {
  const cut = text.length > columns ? `${text.slice(0, columns - 1)}…` : text
  return escapeXml(cut)
    .replace(/^✓|^published\b/, '<tspan class="good">$&</tspan>')
    .replace(/^… .*$/, '<tspan class="faint">$&</tspan>')
    .replaceAll(/https?:\/\/[^\s<)]+/g, '<tspan class="address">$&</tspan>')
}

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
