import type { FastifyRequest } from 'fastify'
import type { MountedHandler } from '../../calls/mounted-handler.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { isReaderPage, readerMethodsAt } from '../reader-pages/reader-pages.ts'
import { isSearchPage } from '../search-page/search-page.ts'
import { type HttpHost, methodsOf } from '../sites.ts'
import { closestOperation, operationsAt } from './closest-operation.ts'

/** Whether the request is for this handler. */
export const isAt = ({ path }: MountedHandler, request: FastifyRequest) => request.url.split('?', 1)[0] === path

/** Throws unless a route matches the request. The problem says which operation is probably meant. */
export function assertRouted(
  request: FastifyRequest,
  places: readonly HttpHost[],
  place: HttpHost | undefined,
  mcp: MountedHandler,
): void {
  if (!place) throw new Problem('unknown_site', 'No site of this service has this host name.')
  if (!request.is404) return
  const methods = methodsAt(request, place, mcp)
  const [path = ''] = request.url.split('?', 1)
  const asked = { method: request.method, path }
  if (methods.length === 0) {
    const members = closestOperation(places, place, asked)
    const hint = members.closest ? ' See `closest` for the operation that you probably mean.' : ''
    throw new Problem('not_found', `There is no operation at this path.${hint}`, { members })
  }
  throw new Problem('method_not_allowed', `This path supports ${inWords(methods)}.`, {
    members: operationsAt(place, asked),
    headers: { allow: methods.join(', ') },
  })
}

const inWords = (methods: readonly string[]) => new Intl.ListFormat('en').format(methods)

function methodsAt(request: FastifyRequest, place: HttpHost, mcp: MountedHandler): string[] {
  if (!place.isOwnerPage && isSearchPage(request)) return ['GET', 'HEAD']
  if (isAt(mcp, request)) return ['POST']
  if (!place.isOwnerPage && isReaderPage(request)) return readerMethodsAt(place.site, request.url)
  return methodsOf(place, request.url.split('?', 1)[0] ?? '')
}
