import { Resolver } from 'node:dns/promises'
import { codeOf, type Patience } from './check.ts'

/** The TXT records of a name, each as one text; none if it has none; undefined if no DNS server answers. */
export type ReadTxt = (name: string) => Promise<string[] | undefined>

/** Asks these servers, or those of the system. */
export function openTxtReader(servers: readonly string[] | undefined, { timeoutMs }: Patience): ReadTxt {
  const resolver = new Resolver({ timeout: timeoutMs / 2, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (name) => {
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      return ['ENOTFOUND', 'ENODATA'].includes(codeOf(error)) ? [] : undefined
    }
  }
}
