import type { FastifyReply, FastifyRequest } from 'fastify'
import { readAllowance } from '../../calls/count-use.ts'
import { perform } from '../../calls/perform.ts'
import type { Call } from '../../contract/call.ts'
import type { AllowanceSizes } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import type { Html } from '../../markup/html.ts'
import { siteViews } from '../../publishing/views.ts'
import { searchOperation } from '../../search/operations.ts'
import type { HttpSite } from '../sites.ts'
import { type Found, formPage, problemPage, resultsPage, type Setting } from './pages.ts'
import { queryOf, readAsked, searchPath } from './query.ts'
import { isUserInitiated } from './user-initiated.ts'

export type SearchPage = ReturnType<typeof openSearchPage>

/** The search of people: the operation of the API behind a form, for whoever is at the address, with no key. */
export function openSearchPage(sites: readonly HttpSite[], sizes: AllowanceSizes) {
  const kinds = sites.map(({ kind }) => kind)
  const views = siteViews(new Map(sites.map((site) => [site.kind.name, site])))
  const operation = searchOperation(kinds, { isTyped: true })
  const settingOf = (kindName: string, url: string): Setting | undefined => {
    const site = views.get(kindName)
    return site && { site, kinds, sizes, asked: readAsked(url) }
  }
  return {
    /** Uses a search up only for who asked for one. */
    answer: async (call: Call, request: FastifyRequest, reply: FastifyReply) => {
      const setting = settingOf(call.site, request.url) as Setting
      const isAct = request.method === 'GET' && isUserInitiated(request.headers)
      if (setting.asked.q === undefined || !isAct)
        return sendPage(reply, 200, formPage(setting, await readAllowance({ operation, call, sizes })))
      const raw = { params: {}, query: queryOf(setting.asked), body: undefined }
      const { headers, body } = await perform(operation, call, raw, sizes)
      return sendPage(reply.headers(headers), 200, resultsPage(setting, body as Found), goneBackTo)
    },
    /** Tells a person what went wrong; false where nobody asked for a page. */
    tellOf: (problem: Problem, kindName: string | undefined, request: FastifyRequest, reply: FastifyReply): boolean => {
      const setting = isSearchPage(request) && takesPages(request) && settingOf(kindName ?? '', request.url)
      if (!setting) return false
      sendPage(reply.headers(problem.headers), problem.status, problemPage(setting, problem))
      return true
    },
  }
}

/** By the route, however the path was encoded; by the path, where the method has no route. */
export const isSearchPage = (request: FastifyRequest): boolean =>
  request.routeOptions.url === searchPath || request.url.split('?', 1)[0] === searchPath

/** As at the gateway: errors are documents, and pages only for who asks for pages by name. */
const takesPages = ({ headers }: FastifyRequest): boolean =>
  /(?:text\/html|application\/xhtml\+xml)(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(headers.accept ?? '')

/**
 * Not no-store: a browser that may keep nothing asks again for what its user goes back to, and that would be a search
 * that nobody asked for. What it keeps it uses for that alone.
 */
const goneBackTo = 'private, no-cache'

const sendPage = (reply: FastifyReply, status: number, page: Html, cacheControl = 'no-store') =>
  reply.code(status).headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': cacheControl }).send(page)
