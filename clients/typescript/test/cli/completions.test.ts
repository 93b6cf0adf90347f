import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommandLine } from '../../../../tooling/clients/command-line.ts'

const scriptFor = async (shell: string) => (await runCommandLine(['completion', shell])).stdout

test('bash completes commands, options and values', async () => {
  const script = await scriptFor('bash')
  const complete = (...words: string[]) => {
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const program = `${script}\nCOMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _broadside; echo "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8' }).trim()
  }
  assert.equal(complete('broadside', 'lo'), 'login logout')
  assert.equal(complete('broadside', 'post', 'me'), 'message')
  assert.equal(complete('broadside', 'post', 'message', '--te'), '--text')
  assert.equal(complete('broadside', 'mine', '--status', 're'), 'review rejected removed')
})

test('zsh and fish accept their scripts, where they are installed', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-completion-'))
  for (const shell of ['zsh', 'fish']) {
    const path = join(folder.path, shell)
    writeFileSync(path, await scriptFor(shell))
    const { error, status, stderr } = spawnSync(shell, ['-n', path], { encoding: 'utf8' })
    if ((error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') assert.equal(status, 0, stderr)
  }
  const ask = ['-c', `source ${join(folder.path, 'fish')}; complete -C 'broadside post me'`]
  const { error, stdout } = spawnSync('fish', ask, { encoding: 'utf8', env: { ...process.env, HOME: folder.path } })
  if (!error) assert.match(stdout, /^message$/m)
})
