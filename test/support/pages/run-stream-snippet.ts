import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Kind } from '../../../src/kinds/index.ts'
import { pythonEnvironment } from '../../../tooling/clients/command-line.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { publishAsModel } from '../posts/publish-as-model.ts'
import { type SnippetLanguage, type SnippetSet, systemPython, typescriptClient } from './run-snippets.ts'

type StreamSnippet = {
  language: SnippetLanguage
  set: SnippetSet
  variables?: Record<string, string>
  publishes?: boolean
}

/** Starts a program that follows a stream, publishes posts until it prints one, if it should, and ends it. */
export async function streamSnippetPrints(
  service: Service,
  kind: Kind,
  { language, set, variables = {}, publishes = true }: StreamSnippet,
): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-stream-'))
  const { api_key, id: accountId } = await service.createCustomer()
  const commands = {
    sh: ['bash', 'stream.sh', set.sh.replace(/^curl/m, 'exec curl')],
    ts: [process.execPath, 'stream.mts', set.ts.replace("'broadside'", `'${pathToFileURL(typescriptClient)}'`)],
    python: [systemPython, 'stream.py', set.python],
  } as const
  const [command, file, program] = commands[language]
  await writeFile(join(folder.path, file), program)
  const child = spawn(command, [file], {
    cwd: folder.path,
    env: {
      ...process.env,
      ...variables,
      ...{ BROADSIDE_URL: String(service.baseUrls[kind.name]), BROADSIDE_API_KEY: api_key },
      ...pythonEnvironment,
      PYTHONUNBUFFERED: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'exit')
  const [output, errors]: [string[], string[]] = [[], []]
  child.stdout.on('data', (data) => output.push(String(data)))
  child.stderr.on('data', (data) => errors.push(String(data)))
  try {
    // No program says when it is connected, so posts are published until one arrives.
    while (!output.join('').includes('post.published')) {
      assert.equal(child.exitCode, null, `${language}: ${errors.join('')}`)
      if (publishes) await publishAsModel(service, { kind, accountId })
      await pause(250)
    }
  } finally {
    child.kill('SIGKILL')
    await exit
  }
}
