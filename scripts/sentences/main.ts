import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../src/bin/command.ts'
import { flag, readWords, runScript, text } from '../../tooling/script-options.ts'
import { readTexts, type SourceText, sentencesIn } from './read-texts.ts'

const details = `Prints every sentence that a caller, owner, staff member or operator can see, with its file and line, for review in one
pass. Path prefixes such as "src/contract" limit the output.

  --comments     Print comments instead.
  --tests        Print test names instead.
  --sample <n>   Print a sample of <n>, chosen by hash, so it is the same every time.
  --count        Print the number per folder.`

await runScript({ command: 'npm run sentences', details }, (args) => {
  const { values, words } = readWords(args, { comments: flag, tests: flag, sample: text('N'), count: flag }, [
    '[path prefix] …',
  ])
  if (values.sample !== undefined && !/^[1-9]\d{0,8}$/.test(values.sample))
    throw new UsageError(`--sample must be a whole number, not '${values.sample}'.`)
  printSentences(values, words)
})

type Asked = { comments: boolean; tests: boolean; sample: string | undefined; count: boolean }

function printSentences(values: Asked, prefixes: readonly string[]): void {
  const root = join(import.meta.dirname, '../..')
  const kind: SourceText['kind'] = values.comments ? 'comment' : values.tests ? 'test name' : 'string'
  const isRead = (path: string) => {
    if (!/\.ts$/.test(path) || path.endsWith('.d.ts')) return false
    const isTest = /^test\/|\.test\.ts$/.test(path)
    if (kind === 'string') return /^(?:src|client\/src)\//.test(path) && !isTest
    return kind === 'test name' ? isTest : true
  }
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    .split('\n')
    .filter((path) => isRead(path) && (prefixes.length === 0 || prefixes.some((prefix) => path.startsWith(prefix))))

  const found = files.flatMap((path) =>
    readTexts(readFileSync(join(root, path), 'utf8'))
      .filter((text) => text.kind === kind)
      .flatMap(({ line, text }) =>
        (kind === 'string' ? sentencesIn(text) : [text]).map((text) => ({ path, line, text })),
      ),
  )
  const drawn = values.sample
    ? found
        .map((one) => ({ one, key: createHash('sha256').update(`${one.path} ${one.text}`).digest('hex') }))
        .sort((a, b) => (a.key < b.key ? -1 : 1))
        .slice(0, Number(values.sample))
        .map(({ one }) => one)
    : found

  if (values.count) {
    for (const [folder, own] of Map.groupBy(drawn, ({ path }) => path.split('/').slice(0, 2).join('/')))
      console.log(`${String(own.length).padStart(6)}  ${folder}`)
    console.log(`${String(drawn.length).padStart(6)}  in total`)
  } else for (const { path, line, text } of drawn) console.log(`${path}:${line}: ${text}`)
}
