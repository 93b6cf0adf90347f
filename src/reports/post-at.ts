import { postId } from '../posts/status-record.ts'

/** The post whose page has this address, in whichever form; undefined when it is no page of a post on these sites. */
export function postAt(url: string, baseUrls: Readonly<Record<string, string>>) {
  const address = URL.parse(url)
  if (!address || !/^https?:$/.test(address.protocol)) return undefined
  const kind = Object.keys(baseUrls).find((name) => URL.parse(String(baseUrls[name]))?.host === address.host)
  const id = /^\/p\/(\w+)(\.json|\.md|\.ics)?$/.exec(address.pathname)?.[1]
  if (kind === undefined || !postId.safeParse(id).success) return undefined
  return { id: String(id), kind }
}
