import type { FastifyReply, FastifyRequest } from 'fastify'
import { readAllowance } from '../../calls/count-use.ts'
import { perform } from '../../calls/perform.ts'
import type { Call } from '../../contract/call.ts'
import type { AllowanceSizes } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import { siteViews } from '../../publishing/views.ts'
import { searchOperation } from '../../search/operations.ts'
import { sendPage, takesPages } from '../html-pages.ts'
import type { HttpSite } from '../sites.ts'
import { type Found, formPage, problemPage, resultsPage, type Setting } from './pages.ts'
import { formFiltersOf, queryOf, readAsked, searchPath } from './query.ts'
import { isUserInitiated } from './user-initiated.ts'

export type SearchPage = ReturnType<typeof openSearchPage>

/** Search for people: the API operation behind a form, without a key, counted by network address. */
export function openSearchPage(sites: readonly HttpSite[], sizes: AllowanceSizes) {
  const kinds = sites.map(({ kind }) => kind)
  const views = siteViews(new Map(sites.map((site) => [site.kind.name, site])))
  const makeForm = () => ({ filters: formFiltersOf(kinds), operation: searchOperation(kinds, { isTyped: true }) })
  // Made for the first visitor, because the start of the process should not wait for it.
  let made: ReturnType<typeof makeForm> | undefined
  const form = () => {
    made ??= makeForm()
    return made
  }
  const settingOf = (kindName: string, url: string): Setting | undefined => {
    const site = views.get(kindName)
    const { filters } = form()
    return site && { site, kinds, sizes, filters, asked: readAsked(url, filters, kindName) }
  }
  return {
    /** Counts a search only if the person asked for it. */
    answer: async (call: Call, request: FastifyRequest, reply: FastifyReply) => {
      const setting = settingOf(call.site, request.url) as Setting
      const { filters, operation } = form()
      const isAct = request.method === 'GET' && isUserInitiated(request.headers)
      if (setting.asked.q === undefined || !isAct)
        return sendPage(reply, 200, formPage(setting, await readAllowance({ operation, call, sizes })))
      const raw = { params: {}, query: queryOf(setting.asked, filters), body: undefined }
      const { headers, body } = await perform(operation, call, raw, sizes)
      return sendPage(reply.headers(headers), 200, resultsPage(setting, body as Found, call.clock.now()), goneBackTo)
    },
    /** Shows a person what went wrong; returns false if the client did not ask for HTML. */
    tellOf: (problem: Problem, kindName: string | undefined, request: FastifyRequest, reply: FastifyReply): boolean => {
      const setting = isSearchPage(request) && takesPages(request) && settingOf(kindName ?? '', request.url)
      if (!setting) return false
      sendPage(reply.headers(problem.headers), problem.status, problemPage(setting, problem))
      return true
    },
  }
}

/** Matches by route, so that the encoding of the path does not matter; by path if no route has this method. */
export const isSearchPage = (request: FastifyRequest): boolean =>
  request.routeOptions.url === searchPath || request.url.split('?', 1)[0] === searchPath

/**
 * Not no-store: the browser would then repeat the request when its user goes back, which would use another search. With
 * no-cache it keeps the page for that purpose only.
 */
const goneBackTo = 'private, no-cache'
