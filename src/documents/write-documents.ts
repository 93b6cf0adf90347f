import { openPages, type PagesPlace } from '../platform/page-store/open-pages.ts'

/** Documents by their path in the folder that contains all sites: `messages/docs/index.html`. */
export type Documents = ReadonlyMap<string, string | Buffer>

/** Writes changed documents to the live trees of their sites. Returns the number of files written. */
export async function writeDocuments(documents: Documents, place: PagesPlace): Promise<number> {
  await using pages = openPages(place)
  let written = 0
  for (const [name, own] of bySite(documents)) {
    const store = await pages.openSite(name)
    written += await store.apply(own)
  }
  return written
}

/** The documents grouped by site folder, with paths relative to that folder. */
export function bySite(documents: Documents): Map<string, Map<string, string | Buffer>> {
  const sites = new Map<string, Map<string, string | Buffer>>()
  for (const [path, content] of documents) {
    const slash = path.indexOf('/')
    const site = path.slice(0, slash)
    sites.set(site, (sites.get(site) ?? new Map()).set(path.slice(slash + 1), content))
  }
  return sites
}
