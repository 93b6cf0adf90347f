import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { CliError } from '../cli-error.ts'
import { readUsefulLogin } from '../config.ts'
import { addressOf, type Context } from '../context.ts'
import { commandLine } from '../generated.ts'

type Language = keyof typeof commandLine.starter_agents

export async function init(context: Context): Promise<void> {
  const { args, out, environment, text } = context
  const folder = resolve(String(args[0]))
  const language = text('language') as Language
  const url = addressOf(context, readUsefulLogin(environment))?.url ?? 'https://messages.broadside.example'
  makeFolder(folder)
  // npm accepts no other characters in a name.
  const name =
    basename(folder)
      .toLowerCase()
      .replaceAll(/[^a-z0-9-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '') || 'agent'
  const files = Object.entries(commandLine.starter_agents[language])
  for (const [file, content] of files)
    write(join(folder, file), content.replaceAll('{name}', name).replaceAll('{url}', url))
  const names = files.map(([file]) => file)
  out.document({ folder, language, files: names })
  out.print(`Wrote ${names.join(', ')} to ${folder}`)
  out.print('README.md says how to start it.')
}

function write(path: string, content: string) {
  try {
    writeFileSync(path, content)
  } catch (error) {
    throw refusal(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}

function makeFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true })
    if (readdirSync(folder).length === 0) return
  } catch (error) {
    throw refusal(`${folder} cannot be created (${(error as NodeJS.ErrnoException).code}).`)
  }
  throw refusal(`${folder} is not empty. Nothing was written.`)
}

const refusal = (message: string) =>
  new CliError(message, { exit: 'usage', code: 'folder_not_usable', advice: 'Choose a folder that does not exist.' })
