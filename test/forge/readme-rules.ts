import { anchorsOf } from './markdown-links.ts'

type Repository = { files: readonly string[]; read: (path: string) => string; bytesOf: (path: string) => number }

const maxLines = 120
const maxPictureBytes = 150_000
const figureCount = 3
const recordings = ['docs/images/five-commands.svg', 'docs/images/five-commands-still.svg']

/** What is wrong with the README: its length, commands, pictures, and the figures that it quotes from other pages. */
export function faultsOfReadme(text: string, repository: Repository): string[] {
  const lines = text.trimEnd().split('\n').length
  return [
    ...(lines > maxLines ? [`README.md has ${lines} lines; the limit is ${maxLines}.`] : []),
    ...faultsOfFiveCommands(text, repository),
    ...faultsOfPictures(text, repository),
    ...faultsOfFigures(text, repository),
  ]
}

/** The five commands, as `npm run record` reads them. */
function faultsOfFiveCommands(text: string, { files, read }: Repository): string[] {
  const section = sectionOf(text, 'five-commands-to-a-published-post')
  const commands = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trimEnd().split('\n'),
  )
  if (commands.length !== 5) return [`README.md has ${commands.length} commands to a published post, not five.`]
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const missing = [...text.matchAll(/\bnpm run ([\w:-]+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !scripts[name])
  const differing = recordings
    .filter((path) => files.includes(path))
    .filter((path) => commandsOfRecording(read(path)).join('\n') !== commands.join('\n'))
  return [
    ...missing.map((name) => `There is no script ${name} in package.json.`),
    ...differing.map((path) => `${path} shows other commands than README.md. Run \`npm run record\`.`),
  ]
}

const commandsOfRecording = (svg: string): string[] =>
  [...svg.matchAll(/class="command">([^<]*)</g)].map(([, command = '']) =>
    command.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  )

function faultsOfPictures(text: string, { files, bytesOf }: Repository): string[] {
  const tags = [...text.matchAll(/<(?:img|source)\b[^>]*>/g)].map(([tag]) => tag)
  const attribute = (tag: string, name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1]
  const images = tags.filter((tag) => tag.startsWith('<img'))
  const paths = tags.flatMap((tag) => attribute(tag, 'src') ?? attribute(tag, 'srcset') ?? [])
  return [
    ...(images.length < 2 ? ['README.md needs a picture and the recording.'] : []),
    ...(recordings.every((path) => paths.includes(path)) ? [] : ['README.md does not show both recordings.']),
    ...images
      .filter((tag) => (attribute(tag, 'alt') ?? '').length < 20)
      .map((tag) => `${attribute(tag, 'src')} needs a text that describes it.`),
    ...paths.filter((path) => !files.includes(path)).map((path) => `There is no picture ${path}.`),
    ...paths
      .filter((path) => files.includes(path) && bytesOf(path) > maxPictureBytes)
      .map((path) => `${path} has ${bytesOf(path)} bytes; the limit is ${maxPictureBytes}.`),
  ]
}

/** Each paragraph begins with a figure in bold, and its link “Measured” leads to the section that has the figure. */
function faultsOfFigures(text: string, { files, read }: Repository): string[] {
  const paragraphs = sectionOf(text, 'why-it-is-different')
    .split('\n\n')
    .filter((paragraph) => paragraph.startsWith('**'))
  const faults = paragraphs.flatMap((paragraph) => {
    const claim = /^\*\*([^*]+)\*\*/.exec(paragraph)?.[1] ?? ''
    const [, path = '', anchor = ''] = /\[Measured\]\(([^)#]+)#([^)]+)\)/.exec(paragraph) ?? []
    if (!files.includes(path)) return [`“${claim}” does not say where it was measured.`]
    const source = sectionOf(read(path), anchor)
    return numbersIn(paragraph.replaceAll(/\([^)]*\)/g, ''))
      .filter((number) => !numbersIn(source).includes(number))
      .map((number) => `${path}#${anchor} does not have the figure ${number} of “${claim}”.`)
  })
  return paragraphs.length === figureCount
    ? faults
    : [...faults, `README.md has ${paragraphs.length} figures, not three.`]
}

const numbersIn = (text: string): string[] =>
  [...text.matchAll(/(?<![\w.])\d[\d,]*(?:\.\d+)?/g)].map(([number]) => number)

/** The text below a heading, with its subsections. */
function sectionOf(text: string, anchor: string): string {
  const withoutCode = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, (block) => block.replaceAll('#', ' '))
  const headings = [...withoutCode.matchAll(/^(#{1,6}) .*$/gm)]
  const anchors = anchorsOf(text)
  const index = anchors.indexOf(anchor)
  const start = headings[index]
  if (!start) return ''
  const end = headings.slice(index + 1).find(([, marks = '']) => marks.length <= (start[1] ?? '').length)
  return text.slice(start.index, end?.index)
}
