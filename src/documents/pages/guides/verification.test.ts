import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { forgedKeys, forgedSignatures } from '../../../../tooling/transparency/forged-posts.ts'
import { genuinePosts, ordinaryPost, type Served } from '../../../../tooling/transparency/genuine-posts.ts'
import { markdownOf } from '../book.ts'
import { renderMarkdown } from '../markdown.ts'

const program = new URL('../snippets/verify-post.mts', import.meta.url).pathname

/** What the program in the documentation prints about a post. */
async function printedAbout({ post, keys }: Pick<Served, 'post' | 'keys'>): Promise<string> {
  const files: Record<string, Buffer> = { '/p/post_1.json': post, '/.well-known/broadside-keys.json': keys }
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
  for (const one of genuinePosts()) assert.equal(await printedAbout(one), 'true\n', one.about)
  const genuine = ordinaryPost()
  const forgeries = [...forgedSignatures(genuine), ...forgedKeys(genuine)]
  const printedAboutForgery = (name: string) =>
    printedAbout({ ...genuine, ...forgeries.find(({ about }) => about === name)?.changes })
  assert.equal(await printedAboutForgery('a changed text'), 'false\n')
  for (const name of ['a key that is not published', 'a key of another purpose', 'a key that had expired'])
    assert.match(await printedAboutForgery(name), /The key is not published for that time/, name)
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
