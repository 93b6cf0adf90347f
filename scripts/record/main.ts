import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flag, readOptions, runScript } from '../../tooling/script-options.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { readGuide } from '../drill/guide.ts'
import { openClone, openMachine, type Place } from './places.ts'
import { type Recorded, renderRecording } from './render-recording.ts'

const heading = 'Five commands to a published post'
const targets = { animated: 'docs/images/five-commands.svg', still: 'docs/images/five-commands-still.svg' }
const details = `Runs the five commands of the README in a fresh clone of the last commit, and writes
${Object.values(targets).join(' and ')}.

  --machine  in an empty Debian 12, as \`npm run drill -- install\` makes it; needs root.
             Without it, the ports of \`npm run up\` must be free.`

await runScript({ command: 'npm run record', usage: '[--machine]', details }, async (args) => {
  const { machine } = readOptions(args, { machine: flag })
  await record(machine ? await openMachine() : openClone())
})

async function record(opened: Place): Promise<void> {
  await using place = opened
  const recorded: Recorded[] = []
  try {
    for (const command of commandsOfReadme()) recorded.push(await run(place, command))
    await expectPage(place, recorded)
  } finally {
    await run(place, 'npm run down').catch((error: Error) => console.error(error.message))
  }
  writeFileSync(join(repoDir, targets.animated), renderRecording(recorded, { animated: true }))
  writeFileSync(join(repoDir, targets.still), renderRecording(recorded, { animated: false }))
  const total = recorded.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  console.log(
    `${Object.values(targets).join(' and ')} are written. The five commands took ${(total / 60_000).toFixed(1)} minutes.`,
  )
}

function commandsOfReadme(): string[] {
  const commands = readGuide('README.md')
    .filter((block) => block.heading === heading)
    .flatMap((block) => block.commands.trimEnd().split('\n'))
  if (commands.length !== 5) throw new Error(`README.md has ${commands.length} commands under “${heading}”.`)
  return commands
}

/** Runs a command and records its lines. Throws if it fails. */
async function run(place: Place, command: string): Promise<Recorded> {
  console.log(`$ ${command}`)
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  const lines: Recorded['lines'] = []
  const code = await place.shell(command, (text) => {
    lines.push({ text, milliseconds: elapsed() })
    console.log(`  ${text}`)
  })
  if (code !== 0) throw new Error(`“${command}” failed with exit code ${code}.`)
  console.log(`  (${elapsed() / 1_000} s)`)
  return { command, lines, milliseconds: elapsed() }
}

/** The last command prints the address of a page that shows the text. */
async function expectPage(place: Place, recorded: readonly Recorded[]): Promise<void> {
  const last = recorded.at(-1)
  const text = /"([^"]+)"/.exec(last?.command ?? '')?.[1] ?? ''
  const url = last?.lines.map((line) => /https?:\S+\/p\/\S+/.exec(line.text)?.[0]).find(Boolean)
  if (!url) throw new Error('The last command printed no address of a post.')
  const page: string[] = []
  await place.shell(`node -e "fetch('${url}').then(async (page) => console.log(await page.text()))"`, (line) =>
    page.push(line),
  )
  if (!page.join('\n').includes(text)) throw new Error(`${url} does not show the post.`)
}
