import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { markdownOf } from '../book.ts'
import { renderMarkdown } from '../markdown.ts'

const fixture = (path: string) =>
  readFileSync(new URL(`../../../../test/fixtures/verification/${path}`, import.meta.url), 'utf8')
const program = new URL('../snippets/verify-post.mts', import.meta.url).pathname

/** What the program in the documentation prints about a post. */
async function printedAbout(folder: string): Promise<string> {
  const files: Record<string, string> = {
    '/p/post_1.json': fixture(`${folder}/post.json`),
    '/.well-known/broadside-keys.json': fixture('keys.json'),
  }
  await using server = createServer(({ url = '' }, response) => response.end(files[url]))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    program,
    `http://127.0.0.1:${port}/p/post_1`,
  ]).catch((error: { stdout: string; stderr: string }) => error)
  return `${stdout}${stderr}`
}

test('the program that verifies by hand accepts genuine posts and no others', async () => {
  for (const name of ['pretty', 'sorted-by-units', 'numbers', 'former-key'])
    assert.equal(await printedAbout(`genuine/${name}`), 'true\n', name)
  assert.equal(await printedAbout('forged/changed-text'), 'false\n')
  for (const name of ['unpublished-key', 'key-of-other-purpose', 'expired-key'])
    assert.match(await printedAbout(`forged/${name}`), /The key is not published for that time/, name)
})

test('a picture is part of the page, with a description, and words take its place in Markdown', () => {
  const text = '![Who signs what.](picture:verification)'
  const page = renderMarkdown(text)
  assert.match(page, /^<figure class="picture"><svg /)
  assert.match(page, /aria-labelledby="picture-title picture-text">\n<title id="picture-title">/)
  assert.match(page, /<desc id="picture-text">/)
  const markdown = markdownOf({ title: 'A', description: 'B', text: () => text })
  assert.equal(markdown, '# A\n\nB\n\nPicture: Who signs what.\n')
})
