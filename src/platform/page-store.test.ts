import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openPageStore } from './page-store.ts'

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-pages-'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

const long = 'A page that is long enough. '.repeat(40)

test('a file stands with its compressed forms, in folders made for it, and nothing else', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  assert.equal(await store.write('topics/ferries/index.html', long), 3)
  const file = join(place.folder, 'topics/ferries/index.html')
  assert.equal(await readFile(file, 'utf8'), long)
  assert.equal(gunzipSync(await readFile(`${file}.gz`)).toString(), long)
  assert.equal(brotliDecompressSync(await readFile(`${file}.br`)).toString(), long)
  assert.deepEqual((await readdir(join(place.folder, 'topics/ferries'))).sort(), [
    'index.html',
    'index.html.br',
    'index.html.gz',
  ])
})

test('what did not change is not written, and keeps its date', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  await store.write('a.json', long)
  await utimes(join(place.folder, 'a.json'), 1_000, 1_000)
  assert.equal(await store.write('a.json', long), 0)
  assert.equal((await stat(join(place.folder, 'a.json'))).mtimeMs, 1_000_000)
})

test('two versions of one second and one size do not look alike to a web server', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  const seconds: number[] = []
  for (const letter of 'abcd') {
    await store.write('a.html', letter.repeat(600))
    seconds.push(Math.floor((await stat(join(place.folder, 'a.html'))).mtimeMs / 1_000))
    assert.equal(Math.floor((await stat(join(place.folder, 'a.html.gz'))).mtimeMs / 1_000), seconds.at(-1))
  }
  assert.equal(new Set(seconds).size, 4)
})

test('a short file has no compressed forms, also where a long one was', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  await store.write('a.txt', long)
  assert.equal(await store.write('a.txt', 'short'), 1)
  assert.deepEqual(await readdir(place.folder), ['a.txt'])
})

test('removing takes every form, and may be repeated', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  await store.write('p/zz/x.html', long)
  for (let time = 0; time < 2; time++) await store.remove('p/zz/x.html')
  assert.deepEqual(await readdir(join(place.folder, 'p/zz')), [])
})

test('what a like tree has is linked with its date, and stays apart', async () => {
  await using place = await temporaryFolder()
  const [old, next] = [join(place.folder, 'old'), join(place.folder, 'next')]
  await openPageStore(old).write('p/a.html', long)
  await utimes(join(old, 'p/a.html'), 1_000, 1_000)
  const store = openPageStore(next, { like: old })
  assert.equal(await store.write('p/a.html', long), 0)
  assert.equal((await stat(join(next, 'p/a.html'))).ino, (await stat(join(old, 'p/a.html'))).ino)
  await store.write('p/a.html', `${long}!`)
  assert.equal(await readFile(join(old, 'p/a.html'), 'utf8'), long)
})

test('a reader sees the old or the new file, never a part', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  const versions = ['a', 'b'].map((letter) => letter.repeat(200_000))
  await store.write('a.html', String(versions[0]))
  let isDone = false
  const reading = (async () => {
    while (!isDone) assert.ok(versions.includes(await readFile(join(place.folder, 'a.html'), 'utf8')))
  })()
  for (let round = 0; round < 40; round++) await store.write('a.html', String(versions[round % 2]))
  isDone = true
  await reading
})

test('a path cannot lead out of the tree', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  for (const path of ['../a', 'a/../../b', '/etc/x', '.hidden', 'a b', '']) await assert.rejects(store.write(path, 'x'))
})
