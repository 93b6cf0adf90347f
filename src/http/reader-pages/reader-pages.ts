import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Call } from '../../contract/call.ts'
import type { AllowanceSizes } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import { siteViews } from '../../publishing/views.ts'
import { isSameOriginForm } from '../../web-pages/csrf.ts'
import { sendPage, takesPages } from '../html-pages.ts'
import type { HttpSite } from '../sites.ts'
import { confirmRoute, contactRoute } from './contact-page.ts'
import { foreignFormNote, problemNote } from './notes.ts'
import { readFields } from './read-form.ts'
import { reportRoute } from './report-page.ts'
import type { ReaderAnswer, ReaderRoute } from './route.ts'

const routes: readonly ReaderRoute[] = [reportRoute, contactRoute, confirmRoute]

export type ReaderPages = ReturnType<typeof openReaderPages>

/** The pages on which readers can act: they need no account, no cookie and no script. */
export function openReaderPages(sites: readonly HttpSite[], sizes: AllowanceSizes) {
  const views = siteViews(new Map(sites.map((site) => [site.kind.name, site])))
  return {
    routesOf: ({ kind }: HttpSite): readonly ReaderRoute[] => routes.filter(({ isOn }) => isOn(kind)),
    /** Answers a request with a page, and returns the problem that it explains. */
    answer: async (route: ReaderRoute, call: Call, request: FastifyRequest, reply: FastifyReply) => {
      const { status, page, problem } = await answerOf(route, call, request)
      sendPage(reply.headers(problem?.headers ?? {}), status, page)
      return problem
    },
    /** Shows a person what went wrong; returns false if the client did not ask for HTML. */
    tellOf: (problem: Problem, kindName: string | undefined, request: FastifyRequest, reply: FastifyReply): boolean => {
      const site = isReaderPage(request) && takesPages(request) && views.get(kindName ?? '')
      if (!site) return false
      const page = problemNote(site, problem, request.method === 'POST')
      sendPage(reply.headers(problem.headers), problem.status, page)
      return true
    },
  }

  async function answerOf(route: ReaderRoute, call: Call, request: FastifyRequest): Promise<ReaderAnswer> {
    const site = views.get(call.site)
    if (!site) throw new Error('a reader page is on an unknown site')
    const asked = { call, site, sizes, params: request.params as { id: string; token?: string }, fields: {} }
    if (request.method !== 'POST') return route.show(asked)
    // Another site gains nothing by forging these forms, but its visitors would use up their address's limit.
    const sent = { holder: '', given: undefined, needsToken: false }
    if (!isSameOriginForm(request.headers, site.baseUrl, sent)) return { status: 403, page: foreignFormNote(site) }
    return route.submit({ ...asked, fields: readFields(request) })
  }
}

/** By path, because a request with another method has no route. */
export const isReaderPage = (request: FastifyRequest): boolean =>
  /^\/p\/[^/]+\/./.test(request.url.split('?', 1)[0] ?? '')

/** The methods of a reader page on this site; none if the site has no such page. */
export function readerMethodsAt(site: HttpSite, url: string): string[] {
  const path = url.split('?', 1)[0] ?? ''
  const isKnown = routes.some((route) => route.isOn(site.kind) && patternOf(route).test(path))
  return isKnown ? ['GET', 'HEAD', 'POST'] : []
}

const patternOf = ({ path }: ReaderRoute) => new RegExp(`^${path.replaceAll(/:[a-z]+/g, '[^/]+')}$`)
