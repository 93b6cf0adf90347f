import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PageStore, SiteStore } from '../site-store.ts'
import { ObjectStoreError } from './s3-client.ts'
import { openS3Tree, type S3Parts } from './s3-tree.ts'

/**
 * A site in a bucket. The object `<site>/live` names the tree that readers see, in its metadata, and `<site>/next` the
 * one that a rebuild fills, with its progress. The files are at `<site>/<tree>/<path>`.
 */
export async function openS3Site(parts: S3Parts, name: string, keepsOldTreesMs: number): Promise<SiteStore> {
  const { client, writes } = parts
  const [live, next] = [`${name}/live`, `${name}/next`]
  const prefixOf = (tree: string) => `${name}/${tree}/`
  let nextTree: string | undefined

  const readLive = () => readLiveTree(parts, name)
  const findLive = rememberBriefly(async () => String(await readLive()))
  const nameLive = (tree: string, replaces: string | undefined) =>
    writes.write(live, { body: tree, replaces, headers: { 'x-amz-meta-tree': tree, 'cache-control': 'no-cache' } })
  if ((await readLive()) === undefined) {
    // If another process has created it meanwhile, this is refused.
    await nameLive(newTree(), undefined)
    if ((await readLive()) === undefined) throw new ObjectStoreError(`${live} could not be created`)
  }

  /** What `<site>/next` says. If its tree is live already, the swap is not finished. */
  async function readNext() {
    const found = await client.get(next)
    const [tree, ...progress] = found?.body.toString().split('\n') ?? []
    return tree === undefined || tree === '' ? undefined : { tree, progress: progress.join('\n') }
  }
  const findNext = async () => {
    nextTree ??= (await readNext())?.tree
    if (nextTree === undefined) throw new ObjectStoreError('no rebuild has begun')
    return nextTree
  }
  async function deleteTree(tree: string): Promise<void> {
    for (;;) {
      const { keys } = await client.list(prefixOf(tree))
      if (keys.length === 0) return
      await client.deleteMany(keys)
    }
  }

  return {
    ...openS3Tree(parts, { prefix: async () => prefixOf(await findLive()) }),
    comparesFences: true,
    next: ({ isFilling = false } = {}) =>
      openS3Tree(parts, { prefix: async () => prefixOf(await findNext()), isFilling }),
    syncNext: async () => {},
    readProgress: async () => {
      const found = await readNext()
      if (!found || found.tree === (await readLive())) return undefined
      nextTree = found.tree
      return found.progress
    },
    writeProgress: async (progress) => {
      // Another rebuild may have swapped the tree in: then this one has nothing more to write.
      if (nextTree !== undefined && (await readNext())?.tree !== nextTree) throw new ObjectStoreError(takenOver)
      nextTree ??= newTree()
      await client.put(next, `${nextTree}\n${progress}`, {})
    },
    deleteNext: async () => {
      const found = await readNext()
      nextTree = undefined
      await client.delete(next)
      if (found && found.tree !== (await readLive())) await deleteTree(found.tree)
    },
    swap: async () => {
      const tree = await findNext()
      for (let attempt = 0; attempt < maxAttempts; attempt++) {
        const replaced = await writes.look(live)
        // After the look: a rebuild that takes over and swaps after this check changes the version of `live`.
        if ((await readNext())?.tree !== tree) throw new ObjectStoreError(takenOver)
        const outcome = await nameLive(tree, replaced?.etag)
        if (typeof outcome !== 'object' && (await readLive()) !== tree) continue
        // The caller keeps all writers away. When they return, none of them still knows the old tree.
        await sleep(liveKnownMs + 100)
        return
      }
      throw new ObjectStoreError(`${live} could not be changed`)
    },
    readUnfinishedSwap: async () => {
      const found = await readNext()
      return found && found.tree === (await readLive()) ? found.progress : undefined
    },
    finishSwap: async () => {
      nextTree = undefined
      await client.delete(next)
    },
    deleteOldTrees: async () => {
      // Listed before the names are read, so that a tree that a rebuild begins meanwhile is not in the list.
      const { folders } = await client.list(`${name}/`, { delimiter: '/' })
      const kept = [await readLive(), (await readNext())?.tree]
      const old = folders.map((folder) => String(folder.split('/').at(-2))).filter((tree) => !kept.includes(tree))
      if (old.length === 0 || (await ageMsOf(parts, live)) < keepsOldTreesMs) return
      for (const tree of old) await deleteTree(tree)
    },
  }
}

const maxAttempts = 5
/** How long a writer may rely on the name of the live tree. A swap takes longer than this. */
const liveKnownMs = 1_000

/** The live tree as of the last second, so that not every write asks for it. */
function rememberBriefly(read: () => Promise<string>): () => Promise<string> {
  let lastSeen: { tree: string; at: number } | undefined
  return async () => {
    const at = performance.now()
    if (!lastSeen || at - lastSeen.at > liveKnownMs) lastSeen = { tree: await read(), at }
    return lastSeen.tree
  }
}
const takenOver = 'another rebuild has taken over'
const newTree = () => randomUUID()

/** Reads the live tree of a site that may not exist. */
export const s3SiteReader = (parts: S3Parts, name: string): Pick<PageStore, 'read' | 'has'> =>
  openS3Tree(parts, {
    prefix: async () => {
      const tree = await readLiveTree(parts, name)
      return tree && `${name}/${tree}/`
    },
  })

const readLiveTree = async ({ client }: S3Parts, name: string): Promise<string | undefined> =>
  (await client.head(`${name}/live`))?.headers['x-amz-meta-tree']

/** How long ago an object was written, by the server's clock. */
async function ageMsOf({ client }: S3Parts, key: string): Promise<number> {
  const headers = (await client.head(key))?.headers
  return Date.parse(headers?.['date'] ?? '') - Date.parse(headers?.['last-modified'] ?? '')
}
