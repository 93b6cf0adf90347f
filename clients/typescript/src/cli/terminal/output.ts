import { fit, oneLine, pad, printableExcept, safeJson, widthOf } from './text.ts'

const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const
export type Style = keyof typeof codes
const ownStyles = new RegExp(`\\x1b\\[(?:${Object.values(codes).flat().join('|')})m`)
const nothing = /(?!)/

export type Column<Row> = {
  title: string
  text: (row: Row) => string
  style?: (row: Row) => Style | undefined
  /** Takes what the other columns leave. */
  isFlexible?: true
  /** Left out on a narrow terminal. */
  isOptional?: true
}

export type Output = {
  isJson: boolean
  /** The columns of the terminal. */
  width: number
  style: (style: Style | undefined, text: string) => string
  /** A line on standard output, without control characters; nothing with --json. */
  print: (line?: string) => void
  /** A line on standard error, without control characters. */
  note: (line: string) => void
  /** The document of the command; nothing without --json. */
  document: (value: unknown) => void
  /** One line of JSON; nothing without --json. */
  jsonLine: (value: unknown) => void
  table: <Row>(rows: readonly Row[], columns: readonly Column<Row>[]) => void
  /** Shows that something takes time, on a terminal. Returns a function that removes the line. */
  progress: (text: string) => () => void
}

type Streams = { stdout: NodeJS.WriteStream; stderr: NodeJS.WriteStream }

/** Writes to the terminal, or what a pipe or a script expects. */
export function openOutput({ stdout, stderr }: Streams, environment: NodeJS.ProcessEnv, isJson: boolean): Output {
  const hasColors = Boolean(stdout.isTTY) && !isJson && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb'
  const width = stdout.isTTY ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY
  const style = (name: Style | undefined, text: string) =>
    name && hasColors && text !== '' ? `\x1b[${codes[name][0]}m${text}\x1b[${codes[name][1]}m` : text
  // Whatever a line has from the service cannot control the terminal.
  const clean = (line: string) => printableExcept(line, hasColors ? ownStyles : nothing)
  const print = (line = '') => void (isJson || stdout.write(`${clean(line)}\n`))
  return {
    isJson,
    width,
    style,
    print,
    note: (line) => void stderr.write(`${clean(line)}\n`),
    document: (value) => void (isJson && stdout.write(`${safeJson(value, 2)}\n`)),
    jsonLine: (value) => void (isJson && stdout.write(`${safeJson(value)}\n`)),
    table: (rows, columns) => {
      for (const line of tableLines(rows, columns, { width, style })) print(line)
    },
    progress: (text) => (stderr.isTTY && !isJson ? startProgress(stderr, oneLine(text)) : () => {}),
  }
}

type Look = Pick<Output, 'width' | 'style'>

/** Narrower terminals do not show optional columns. */
const narrow = 100

/** Aligned columns that fit the width. Only flexible columns are cut. */
export function tableLines<Row>(rows: readonly Row[], all: readonly Column<Row>[], { width, style }: Look): string[] {
  const columns = width < narrow ? all.filter(({ isOptional }) => !isOptional) : all
  const cells = rows.map((row) => columns.map((column) => oneLine(column.text(row))))
  const widths = columns.map(({ title }, index) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[index] ?? ''))),
  )
  const rest = widths.reduce((sum, one, index) => sum + (columns[index]?.isFlexible ? 0 : one + 2), 0)
  const flexible = columns.filter((column) => column.isFlexible).length
  const share = Math.max(10, Math.floor((width - rest) / Math.max(1, flexible)) - (flexible > 1 ? 2 : 0))
  const limits = widths.map((one, index) => (columns[index]?.isFlexible ? Math.min(one, share) : one))
  const line = (texts: readonly string[], styles: readonly (Style | undefined)[]) =>
    texts
      .map((text, index) => {
        const cut = fit(text, limits[index] ?? 0)
        const isLast = index === texts.length - 1
        return style(styles[index], cut) + (isLast ? '' : pad('', (limits[index] ?? 0) - widthOf(cut)))
      })
      .join('  ')
      .trimEnd()
  const head = line(
    columns.map(({ title }) => title),
    columns.map(() => 'dim'),
  )
  const body = rows.map((row, index) =>
    line(
      cells[index] ?? [],
      columns.map((column) => column.style?.(row)),
    ),
  )
  return [head, ...body]
}

/** A line with the elapsed seconds. */
function startProgress(stderr: NodeJS.WriteStream, text: string): () => void {
  const startedAt = Date.now()
  const show = () => {
    const line = `${text} ${Math.round((Date.now() - startedAt) / 1_000)} s`
    stderr.write(`\r${fit(line, (stderr.columns ?? 80) - 1)}\x1b[K`)
  }
  show()
  const timer = setInterval(show, 1_000)
  return () => {
    clearInterval(timer)
    stderr.write('\r\x1b[K')
  }
}
