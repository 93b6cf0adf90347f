import assert from 'node:assert/strict'
import fs from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openPageStore } from './page-store.ts'
import type { PageStore } from './site-store.ts'

async function temporaryFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-pages-'))
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

const makeOld = (file: string) => utimes(file, 1_000, 1_000)

const write = (store: PageStore, path: string, content: string) => store.apply(new Map([[path, content]]))

const long = 'A page that is long enough. '.repeat(40)

test('a text is stored once, compressed, in new folders', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  assert.equal(await write(store, 'topics/ferries/index.html', long), 1)
  assert.deepEqual(await readdir(join(place.folder, 'topics/ferries')), ['index.html.gz'])
  const stored = await readFile(join(place.folder, 'topics/ferries/index.html.gz'))
  assert.equal(gunzipSync(stored).toString(), long)
  assert.equal((await store.read('topics/ferries/index.html'))?.toString(), long)
  assert.deepEqual(
    [await store.has('topics/ferries/index.html'), await store.has('topics/ferries/index.json')],
    [true, false],
  )
})

test('pictures, fonts and empty files are stored as they are', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  const bytes = Buffer.alloc(4_000, 7)
  for (const name of ['x.png', 'x.woff2', 'x.ico']) {
    assert.equal(await store.apply(new Map([[`p/zz/${name}`, bytes]])), 1)
    assert.deepEqual(await store.read(`p/zz/${name}`), bytes)
    assert.equal(await store.apply(new Map([[`p/zz/${name}`, bytes]])), 0)
  }
  assert.equal(await write(store, 'p/zz/x.gone', ''), 1)
  assert.equal(await write(store, 'p/zz/x.gone', ''), 0)
  assert.deepEqual((await readdir(join(place.folder, 'p/zz'))).sort(), ['x.gone', 'x.ico', 'x.png', 'x.woff2'])
  assert.deepEqual([await store.has('p/zz/x.gone'), await store.has('p/zz/y.png')], [true, false])
})

test('unchanged files are not written and keep their modification time', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  await write(store, 'a.json', long)
  await makeOld(join(place.folder, 'a.json.gz'))
  assert.equal(await write(store, 'a.json', long), 0)
  assert.equal((await stat(join(place.folder, 'a.json.gz'))).mtimeMs, 1_000_000)
})

test('two versions with the same second and size look different to a web server', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  const seconds: number[] = []
  for (const letter of 'abcd') {
    await write(store, 'a.html', letter.repeat(600))
    seconds.push(Math.floor((await stat(join(place.folder, 'a.html.gz'))).mtimeMs / 1_000))
  }
  assert.equal(new Set(seconds).size, 4)
})

test('a file that becomes empty or is no longer empty leaves nothing of before', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  for (const content of [long, '', 'short', '']) {
    assert.equal(await write(store, 'a.txt', content), 1)
    assert.deepEqual(await readdir(place.folder), [content === '' ? 'a.txt' : 'a.txt.gz'])
    assert.equal((await store.read('a.txt'))?.toString(), content)
  }
})

test('what an earlier release stored is read, replaced and removed with all its versions', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  await mkdir(join(place.folder, 'p'))
  const earlier = async (name: string) => {
    for (const suffix of ['', '.gz', '.br'])
      await writeFile(join(place.folder, 'p', name + suffix), suffix === '.gz' ? gzipSync(long) : long)
  }
  for (const name of ['a.html', 'b.html']) await earlier(name)
  await writeFile(join(place.folder, 'p/short.txt'), 'short')
  assert.equal((await store.read('p/a.html'))?.toString(), long)
  assert.equal((await store.read('p/short.txt'))?.toString(), 'short')
  await write(store, 'p/a.html', `${long}!`)
  await write(store, 'p/short.txt', 'short')
  await store.apply(new Map([['p/b.html', null]]))
  assert.deepEqual((await readdir(join(place.folder, 'p'))).sort(), ['a.html.gz', 'short.txt.gz'])
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
  await makeOld(join(old, 'p/a.html.gz'))
  const store = openPageStore(next, { like: old })
  assert.equal(await write(store, 'p/a.html', long), 0)
  assert.equal((await stat(join(next, 'p/a.html.gz'))).ino, (await stat(join(old, 'p/a.html.gz'))).ino)
  await write(store, 'p/a.html', `${long}!`)
  assert.equal((await openPageStore(old).read('p/a.html'))?.toString(), long)
})

test('a reader sees the whole old or the whole new file', async () => {
  await using place = await temporaryFolder()
  const store = openPageStore(place.folder)
  const versions = ['a', 'b'].map((letter) => letter.repeat(200_000))
  await write(store, 'a.html', String(versions[0]))
  let isDone = false
  const reading = (async () => {
    while (!isDone) assert.ok(versions.includes(gunzipSync(await readFile(join(place.folder, 'a.html.gz'))).toString()))
  })()
  for (let round = 0; round < 40; round++) await write(store, 'a.html', String(versions[round % 2]))
  isDone = true
  await reading
})

test('a file that cannot be decompressed is replaced and never linked', async () => {
  await using place = await temporaryFolder()
  const [old, next] = [join(place.folder, 'old'), join(place.folder, 'next')]
  await write(openPageStore(old), 'a.html', long)
  await writeFile(join(old, 'a.html.gz'), 'spoilt')
  assert.equal(await openPageStore(old).read('a.html'), undefined)
  assert.equal(await write(openPageStore(next, { like: old }), 'a.html', long), 1)
  assert.equal(await write(openPageStore(old), 'a.html', long), 1)
})

test('a failed write leaves nothing behind', async () => {
  await using place = await temporaryFolder()
  await mkdir(join(place.folder, 'a.gz'))
  await assert.rejects(write(openPageStore(place.folder), 'a', long))
  assert.deepEqual(await readdir(place.folder), ['a.gz'])
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
  assert.deepEqual(calls.slice(0, 2), ['sync file', 'rename /topics/ferries/index.html.gz'])
  assert.deepEqual(calls.slice(2).sort(), ['sync /', 'sync /topics/', 'sync /topics/ferries/'])
})
