import assert from 'node:assert/strict'
import fs from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { openPageStore } from './page-store.ts'
import type { PageStore } from './site-store.ts'

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-pages-'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

const makeOld = async (file: string) => {
  for (const suffix of ['', '.gz', '.br']) await utimes(file + suffix, 1_000, 1_000)
}

const write = (store: PageStore, path: string, content: string) => store.apply(new Map([[path, content]]))

const long = 'A page that is long enough. '.repeat(40)

test('a file is written with its compressed versions, in new folders, and nothing else', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  assert.equal(await write(store, 'topics/ferries/index.html', long), 3)
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

test('a picture has no compressed versions, and is found by name', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  const bytes = Buffer.alloc(4_000, 7)
  assert.equal(await store.apply(new Map([['p/zz/x.png', bytes]])), 1)
  assert.deepEqual(await readdir(join(place.folder, 'p/zz')), ['x.png'])
  assert.deepEqual(await store.read('p/zz/x.png'), bytes)
  assert.equal(await store.apply(new Map([['p/zz/x.png', bytes]])), 0)
  assert.deepEqual([await store.has('p/zz/x.png'), await store.has('p/zz/y.png')], [true, false])
})

test('unchanged files are not written and keep their modification time', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  await write(store, 'a.json', long)
  await makeOld(join(place.folder, 'a.json'))
  assert.equal(await write(store, 'a.json', long), 0)
  assert.equal((await stat(join(place.folder, 'a.json'))).mtimeMs, 1_000_000)
})

test('two versions with the same second and size look different to a web server', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  const seconds: number[] = []
  for (const letter of 'abcd') {
    await write(store, 'a.html', letter.repeat(600))
    seconds.push(Math.floor((await stat(join(place.folder, 'a.html'))).mtimeMs / 1_000))
    assert.equal(Math.floor((await stat(join(place.folder, 'a.html.gz'))).mtimeMs / 1_000), seconds.at(-1))
  }
  assert.equal(new Set(seconds).size, 4)
})

test('a short file has no compressed versions, even if it replaces a long one', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  await write(store, 'a.txt', long)
  assert.equal(await write(store, 'a.txt', 'short'), 1)
  assert.deepEqual(await readdir(place.folder), ['a.txt'])
})

test('removing deletes every version and can be repeated', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  await write(store, 'p/zz/x.html', long)
  for (let time = 0; time < 2; time++) await store.apply(new Map([['p/zz/x.html', null]]))
  assert.deepEqual(await readdir(join(place.folder, 'p/zz')), [])
})

test('identical files in a similar tree are linked with their modification time, and stay independent', async () => {
  await using place = await temporaryFolder()
  const [old, next] = [join(place.folder, 'old'), join(place.folder, 'next')]
  await write(openPageStore(old), 'p/a.html', long)
  await makeOld(join(old, 'p/a.html'))
  const store = openPageStore(next, { like: old })
  assert.equal(await write(store, 'p/a.html', long), 0)
  assert.equal((await stat(join(next, 'p/a.html'))).ino, (await stat(join(old, 'p/a.html'))).ino)
  await write(store, 'p/a.html', `${long}!`)
  assert.equal(await readFile(join(old, 'p/a.html'), 'utf8'), long)
})

test('a reader sees the whole old or the whole new file', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  const versions = ['a', 'b'].map((letter) => letter.repeat(200_000))
  await write(store, 'a.html', String(versions[0]))
  let isDone = false
  const reading = (async () => {
    while (!isDone) assert.ok(versions.includes(await readFile(join(place.folder, 'a.html'), 'utf8')))
  })()
  for (let round = 0; round < 40; round++) await write(store, 'a.html', String(versions[round % 2]))
  isDone = true
  await reading
})

test('a path cannot lead out of the tree', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  for (const path of ['../a', 'a/../../b', '/etc/x', '.hidden', 'a b', ''])
    await assert.rejects(write(store, path, 'x'))
})

test('wrong compressed versions are repaired and never linked', async () => {
  await using place = await temporaryFolder()
  const [old, next] = [join(place.folder, 'old'), join(place.folder, 'next')]
  const file = join(old, 'a.html')
  const spoil: Record<string, () => Promise<void>> = {
    'one is of another time': () => utimes(`${file}.br`, 1_000, 1_000),
    'one is missing': () => rm(`${file}.gz`),
  }
  for (const [name, act] of Object.entries(spoil)) {
    await write(openPageStore(old), 'a.html', long)
    await act()
    assert.equal(await write(openPageStore(next, { like: old }), `${Math.random()}.html`, long), 3, name)
    assert.equal(await write(openPageStore(old), 'a.html', long), 3, name)
  }
})

test('a failed write leaves nothing behind', async () => {
  await using place = await temporaryFolder()
  await write(openPageStore(place.folder), 'a/b.html', long)
  await assert.rejects(write(openPageStore(place.folder), 'a', long))
  assert.deepEqual(await readdir(place.folder), ['a'])
})

test('files are on disk before they are renamed, and folders before the call ends', async () => {
  await using place = await temporaryFolder()
  const calls: string[] = []
  const nameOf = (file: number) => fs.readlinkSync(`/proc/self/fd/${file}`)
  const { fdatasync, fsync, renameSync } = fs
  mock.method(fs, 'fdatasync', (file: number, done: fs.NoParamCallback) => {
    calls.push('sync file')
    fdatasync(file, done)
  })
  mock.method(fs, 'fsync', (file: number, done: fs.NoParamCallback) => {
    calls.push(`sync ${nameOf(file).slice(place.folder.length)}/`)
    fsync(file, done)
  })
  mock.method(fs, 'renameSync', (from: string, to: string) => {
    calls.push(`rename ${to.slice(place.folder.length)}`)
    renameSync(from, to)
  })
  syncBuiltinESMExports()
  try {
    // A copy of the module that uses these functions.
    const copy: typeof import('./page-store.ts') = await import(`./page-store.ts?${Date.now()}`)
    await write(copy.openPageStore(place.folder), 'topics/ferries/index.html', long)
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
  const [files, renames, folders] = [calls.slice(0, 3), calls.slice(3, 6), calls.slice(6)]
  assert.deepEqual(files, ['sync file', 'sync file', 'sync file'])
  assert.deepEqual(
    renames,
    ['.br', '.gz', ''].map((suffix) => `rename /topics/ferries/index.html${suffix}`),
  )
  assert.deepEqual(folders.sort(), ['sync /', 'sync /topics/', 'sync /topics/ferries/'])
})
