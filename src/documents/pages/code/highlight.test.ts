import assert from 'node:assert/strict'
import { test } from 'node:test'
import { highlight } from './highlight.ts'
import { tokenTables } from './token-tables.ts'

/** ghtml writes reserved HTML characters as numeric references. */
const plain = (shown: string) =>
  shown.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

const tokens = (text: string, language: string) =>
  [...highlight(text, language).matchAll(/<span class="(\w+)">(.*?)<\/span>/gs)].map(([, token, found]) => [
    token,
    plain(String(found)),
  ])

test('in every language the text stays the same, and nothing in it becomes markup', () => {
  const hostile = `<script>"'\`# // </span><b>\\ & "\n'unclosed\n"""\n/* \${x} <<'JSON'\n{"a": 1}\nJSON\n$POST_ID -- -s`
  for (const language of [...Object.keys(tokenTables), 'unknown', '']) {
    const shown = highlight(hostile, language)
    assert.equal(plain(shown), hostile, language)
    assert.doesNotMatch(shown.replaceAll(/<span class="[a-z]+">|<\/span>/g, ''), /[<>]/, language)
  }
})

test('a command shows its flags, variables and quoted texts, and JSON in it as JSON', () => {
  const command = `curl -s -X POST "https://a.example/$POST_ID" \\\n  -d '{\n  "a": 1\n}' # done`
  assert.deepEqual(tokens(command, 'sh'), [
    ['keyword', 'curl'],
    ['name', '-s'],
    ['name', '-X'],
    ['string', '"https://a.example/$POST_ID"'],
    ['name', '-d'],
    ['name', '"a"'],
    ['number', '1'],
    ['comment', '# done'],
  ])
})

test('an apostrophe in a file that a command writes does not open a quotation', () => {
  const shown = tokens(`cat > post.json <<'JSON'\n{"text": "it's"}\nJSON`, 'sh')
  assert.deepEqual(shown.slice(-2), [
    ['name', '"text"'],
    ['string', `"it's"`],
  ])
  assert.deepEqual(tokens(String.raw`-d '{"text": "it'\''s"}' -s`, 'sh').at(-1), ['name', '-s'])
})

test('JSON tells names, texts, numbers and constants apart', () => {
  assert.deepEqual(tokens('{"a": "b: c", "d": [-1.5, true]}', 'json'), [
    ['name', '"a"'],
    ['string', '"b: c"'],
    ['name', '"d"'],
    ['number', '-1.5'],
    ['keyword', 'true'],
  ])
})

test('programs show keywords, calls, texts and comments', () => {
  assert.deepEqual(tokens("const { body } = await site.getPost({ id: 'x' }) // one", 'ts'), [
    ['keyword', 'const'],
    ['keyword', 'await'],
    ['name', 'getPost'],
    ['string', "'x'"],
    ['comment', '// one'],
  ])
  assert.deepEqual(tokens(`print(f"Bearer {os.environ['KEY']}", None, 15)  # one`, 'python'), [
    ['name', 'print'],
    ['string', `f"Bearer {os.environ['KEY']}"`],
    ['keyword', 'None'],
    ['number', '15'],
    ['comment', '# one'],
  ])
  assert.deepEqual(tokens(`post = publish("message", {"text": "Hi"})["id"]`, 'python'), [
    ['name', 'publish'],
    ['string', '"message"'],
    ['string', '"text"'],
    ['string', '"Hi"'],
    ['string', '"id"'],
  ])
})

test('HTTP fields show their names', () => {
  assert.deepEqual(tokens('RateLimit: "searches";r=57', 'http'), [
    ['name', 'RateLimit'],
    ['string', '"searches"'],
    ['number', '57'],
  ])
})
